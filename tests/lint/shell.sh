#!/usr/bin/env bash
# Every shell script passes shellcheck, .ci/run included.
need shellcheck shellcheck
sources '*.sh' .ci/run | xargs -0 -r shellcheck
