#!/bin/sh
# usage: lint.sh CPPCHECK
# Static analysis of the library and the command. A false positive is suppressed at its line, with
# `// cppcheck-suppress ID` and the reason. The configuration with all of the parts is the one that is analysed.
set -eu
cppcheck=$1
cd "$(dirname "$0")/.."
for folder in src modules cli validation bench; do
    [ ! -d $folder ] || echo $folder
done | xargs "$cppcheck" --quiet --std=c11 --enable=warning,performance,portability \
    --inline-suppr --suppress=missingIncludeSystem --error-exitcode=1 -j 2 \
    -DCORDAGE_HDF5 -DCORDAGE_VIEWER -I include -I src -I .
