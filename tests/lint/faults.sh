#!/usr/bin/env bash
# Fault suites run as users run: inside the sandbox.
set -u
if grep -rnE -e '--trus[t]' tests/fault; then
  echo '^ a fault suite runs inside the sandbox'
  exit 1
fi
