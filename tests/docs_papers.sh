#!/bin/sh
# usage: docs_papers.sh ROOT
#
# Every name in docs/papers.md and in the documents that explain equations exists, and every scene of the gallery that
# reproduces a paper is named in docs/papers.md. Names are in backticks; one with NAME in it stands for many:
#   path/of/a/file, path/of/a/folder/   on disk, from the root of the tree, or added by a patch of docs/adding/
#   function()                          defined in the file named before it in the same cell of a table, or else in
#                                       any C source
#   validate SUITE CHECK, bench SUITE ROW   in validation/SUITE/suite.c, bench/SUITE/suite.c
# Prints each name that does not exist and fails if there is one.
set -eu
cd "$1"
page=docs/papers.md
set -- $page docs/physics-chains.md docs/physics-der.md docs/physics-spline.md docs/glossary.md docs/adding.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# names: WHERE KIND NAME [FILE]
awk '
{
    cells = split($0, cell, "|")
    for (c = 1; c <= cells; c++) {
        file = ""
        parts = split(cell[c], part, "`")
        for (i = 2; i <= parts; i += 2) {
            name = part[i]
            if (name ~ /NAME/) continue
            where = FILENAME ":" FNR
            if (name ~ /^(validate|bench) [a-z]+ [a-z0-9-]+$/) {
                split(name, word, " ")
                print where, word[1], word[3], (word[1] == "bench" ? "bench" : "validation") "/" word[2] "/suite.c"
            } else if (name ~ /^[A-Za-z0-9_.\/-]+\/[A-Za-z0-9_.-]*$/) {
                print where, "path", name
                if (/^\|/ && name ~ /\.[ch]$/) file = name
            } else if (name ~ /^[a-z_][A-Za-z0-9_]*\(\)$/)
                print where, "function", substr(name, 1, length(name) - 2), file
        }
    }
}' "$@" >"$work/names"

# definitions: NAME FILE, from declarations at the start of a line that a body follows, and from macros that define a
# function by its name
find src modules include cli validation bench tests -name '*.[ch]' | LC_ALL=C sort >"$work/sources"
xargs awk '
FNR == 1 { text = "" }
# kernels over a lane type are NAME(function)
{
    while (match($0, /NAME\([a-z_0-9]+\)/))
        $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + 5, RLENGTH - 6) substr($0, RSTART + RLENGTH)
}
/^[A-Z_0-9]+\([a-z]/ {
    split($0, part, "[(,]")
    for (i = 2; i in part; i++) { sub(/^ */, "", part[i]); if (part[i] ~ /^[a-z_0-9]+$/) print part[i], FILENAME }
    text = ""
    next
}
text == "" && !/^[A-Za-z]/ { next }
/^(typedef|struct|enum|union|extern|#)/ { text = ""; next }
{
    text = text " " $0
    end = match(text, /[;{=]/)
    if (!end) next
    if (substr(text, end, 1) == "{" && match(text, /[A-Za-z_0-9]+\(/)) {
        head = substr(text, 1, end - 1)
        gsub(/__attribute__ *\(\(.*\)\)/, "", head)
        if (match(head, /[A-Za-z_0-9]+\(/)) print substr(head, RSTART, RLENGTH - 1), FILENAME
    }
    text = ""
}' <"$work/sources" >"$work/definitions"

failed=0
count=0
while read -r where kind name file; do
    count=$((count + 1))
    case $kind in
        path) [ -e "$name" ] || grep -qxF "+++ b/$name" docs/adding/*.patch || { echo "$where: $name is not there"; failed=1; } ;;
        function)
            grep -q "^$name ${file:-.*}\$" "$work/definitions" ||
                { echo "$where: $name() is not defined in ${file:-the tree}"; failed=1; } ;;
        *) grep -qF "{\"$name\"" "$file" 2>/dev/null ||
            { echo "$where: $kind: $file has no $name"; failed=1; } ;;
    esac
done <"$work/names"
for scene in $(grep -l '^paper:' gallery/*/*.yaml); do
    grep -qF "\`$scene\`" $page || { echo "$page: $scene is not named"; failed=1; }
done
[ $count -ge 300 ] || { echo "$page: only $count names"; failed=1; }
exit $failed
