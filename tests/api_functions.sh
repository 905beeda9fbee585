#!/bin/sh
# usage: api_functions.sh ROOT
#
# Every function of the public headers is called by tests/test_api.c, which misuses them all; those of ode.h by
# tests/test_ode.c. Prints each that is not, and fails if there is one.
set -eu
cd "$1"
missing=0
for header in include/cordage/*.h; do
    test=tests/test_api.c
    [ "$header" != include/cordage/ode.h ] || test=tests/test_ode.c
    for name in $(tr '\n' ' ' <"$header" | grep -oE 'CORD_API [^;(]*[ *]cord_[a-z0-9_]+\(' | grep -oE 'cord_[a-z0-9_]+\($'); do
        grep -qF "$name" "$test" || { echo "$header: ${name}) is not called in $test"; missing=1; }
    done
done
exit $missing
