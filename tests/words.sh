#!/bin/sh
# usage: words.sh ROOT
#
# Names of the code have the words of docs/glossary.md. Its last column lists the words that are not used; those in code
# type, and their plurals, must not be part of an identifier (parts are separated by underscores) in include, src and
# cli. Prints each line that has one, and fails if there is one.
set -eu
cd "$1"

# cli/view.c has ports, of TCP. turns: a number of revolutions, also a key of scenes.
allowed="turns"

words=$(awk -F'|' '/^\|/ && NF == 7 { print $6 }' docs/glossary.md | grep -o '`[a-z]*`' | tr -d '`' | sort -u | paste -sd' ')
[ -n "$words" ]
find include src cli -name '*.[ch]' ! -path cli/view.c | LC_ALL=C sort | xargs awk -v words="$words" -v allowed="$allowed" '
    BEGIN {
        count = split(words, list, " ")
        for (i = 1; i <= count; i++) unused[list[i]] = unused[list[i] "s"] = 1
        count = split(allowed, list, " ")
        for (i = 1; i <= count; i++) delete unused[list[i]]
    }
    FNR == 1 { comment = 0 }
    {
        line = $0
        if (!comment) gsub(/"([^"\\]|\\.)*"/, "", line)
        code = ""
        while (line != "")
            if (comment) {
                end = index(line, "*/")
                line = end ? substr(line, end + 2) : ""
                comment = !end
            } else {
                begin = index(line, "/*")
                code = code " " (begin ? substr(line, 1, begin - 1) : line)
                line = begin ? substr(line, begin + 2) : ""
                comment = begin > 0
            }
        count = split(tolower(code), part, /[^a-z0-9]+/)
        for (i = 1; i <= count; i++)
            if (part[i] in unused) {
                printf "%s:%d: %s: see docs/glossary.md: %s\n", FILENAME, FNR, part[i], $0
                found = 1
            }
    }
    END { exit found }'
