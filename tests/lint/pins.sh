#!/usr/bin/env bash
# What others can change is named by its hash: the actions of a workflow by their commit, the base of the image by its digest.
set -u
status=0
while IFS= read -r line; do
  echo "$line: an action is named by the 40 digits of its commit"
  status=1
done < <(grep -nE '^[[:space:]-]*uses:' .github/workflows/*.yml | grep -vE 'uses: [A-Za-z0-9_./-]+@[0-9a-f]{40} # v[0-9.]+$')
while IFS= read -r line; do
  echo "Dockerfile:$line: the base is named by its digest"
  status=1
done < <(grep -nE '^(ARG BASE=|FROM )' Dockerfile | grep -vE '^[0-9]+:(ARG BASE=[a-z0-9:.-]+@sha256:[0-9a-f]{64}|FROM \$\{BASE\}( AS [a-z]+)?)$')
while IFS= read -r line; do
  echo "Dockerfile:$line: only build/ may be writable by all"
  status=1
done < <(grep -nE 'chmod.*a\+[rwX]*w' Dockerfile | grep -vE 'chmod -R a\+rwX build$')
exit "$status"
