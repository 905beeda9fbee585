#!/bin/sh
# usage: format.sh [--check] [CLANG_FORMAT]
# Formats every C file of the tree by .clang-format, or (--check) names the files that are not formatted.
set -eu
cd "$(dirname "$0")/.."
check=false
if [ "${1-}" = --check ]; then
    check=true
    shift
fi
clang_format=${1-clang-format}

files=$(for folder in include src modules cli validation bench tests fuzz examples; do
    [ ! -d $folder ] || find $folder -name '*.[ch]' -o -name '*.cpp'
done | LC_ALL=C sort)
if ! $check; then
    echo "$files" | xargs "$clang_format" --style=file -i
elif ! wrong=$(echo "$files" | xargs "$clang_format" --style=file --dry-run -Werror 2>&1); then
    echo "$wrong" | sed -n 's/:[0-9]*:[0-9]*: error: .*//p' | uniq |
        sed 's/$/: the file is not formatted by .clang-format; run make format/'
    exit 1
fi
