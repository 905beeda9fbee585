#!/bin/sh
# usage: docs_pictures.sh ROOT PYTHON3
#
# Every picture that a document names is there; every drawing (SVG) is well-formed and named by a document; and
# every kind of constraint in include/cordage/constraint.h has a drawing that docs/constraints.md shows. Prints each
# breach and fails if there is one.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

breach() {
    echo "$1"
    failed=1
}

for page in README.md docs/*.md; do
    grep -o '!\[[^]]*\]([^)]*)' "$page" | sed 's/.*(//; s/)$//' >"$work/named" || true
    while read -r picture; do
        path=$(dirname "$page")/$picture
        [ -s "$path" ] || breach "$page: $picture is not there"
        echo "${path#./}" >>"$work/all"
    done <"$work/named"
done

find docs -name '*.svg' >"$work/drawings"
[ -s "$work/drawings" ] || breach "docs: no drawings"
while read -r drawing; do
    grep -qxF "$drawing" "$work/all" || breach "$drawing: no document shows it"
done <"$work/drawings"
"$2" - "$work/drawings" <<'EOF' || failed=1
import sys
import xml.etree.ElementTree as tree

bad = 0
for drawing in open(sys.argv[1]).read().split():
    try:
        tree.parse(drawing)
    except tree.ParseError as error:
        print(f"{drawing}: {error}")
        bad = 1
sys.exit(bad)
EOF

sed -n 's/^#define CORD_[A-Z]* "\([a-z]*\)".*/\1/p' include/cordage/constraint.h >"$work/kinds"
[ -s "$work/kinds" ] || breach "include/cordage/constraint.h: no kinds"
while read -r kind; do
    grep -qF "](pictures/constraints/$kind.svg)" docs/constraints.md ||
        breach "docs/constraints.md: no picture of $kind"
done <"$work/kinds"
exit $failed
