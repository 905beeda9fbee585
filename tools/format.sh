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

wrong=0
for folder in include src modules cli validation bench tests fuzz; do
    [ -d $folder ] || continue
    for file in $(find $folder -name '*.[ch]' -o -name '*.cpp' | LC_ALL=C sort); do
        if ! $check; then
            "$clang_format" --style=file -i "$file"
        elif ! "$clang_format" --style=file --dry-run -Werror "$file" 2>/dev/null; then
            echo "$file: the file is not formatted by .clang-format; run make format"
            wrong=1
        fi
    done
done
exit $wrong
