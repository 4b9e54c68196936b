#!/bin/sh
# nobodys.sh COMMAND...: runs the command in nobody's environment, so that what it writes does not depend on whose machine it
# is: no settings, fonts, macros or data of one's own, no locale. VAR=VALUE may precede the command. Programs and libraries
# are found where they are, and temporary files are made where they should be.
exec env -i PATH="$PATH" ${LD_LIBRARY_PATH:+"LD_LIBRARY_PATH=$LD_LIBRARY_PATH"} ${TMPDIR:+"TMPDIR=$TMPDIR"} \
  HOME=/dev/null TZ=UTC0 LC_ALL=C.UTF-8 "$@"
