#!/usr/bin/env bash
# C sources are formatted as .clang-format says ("make format" does it).
need clang-format clang-format
sources '*.c' '*.h' | xargs -0 -r clang-format --dry-run -Werror
