#!/bin/sh
# usage: docs_tree.sh ROOT
#
# The tree listed in docs/architecture.md (between <!-- tree --> and <!-- /tree -->, a path and a few
# words to a line) is exactly the folders and files of src/ and modules/; and every link of the documents to a file
# of the tree leads somewhere. Prints each breach and fails if there is one.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

sed -n '/^<!-- tree -->$/,/^<!-- \/tree -->$/{/^[a-z]*\//p}' docs/architecture.md >"$work/lines"
awk 'NF < 2 { print "docs/architecture.md: " $1 " is not explained"; bad = 1 } END { exit bad }' \
    "$work/lines" || failed=1
awk '{ print $1 }' "$work/lines" | LC_ALL=C sort >"$work/listed"
{
    find src modules -type f
    find src modules -mindepth 1 -type d | sed 's|$|/|'
} | LC_ALL=C sort >"$work/there"
LC_ALL=C uniq -d "$work/listed" | sed 's/^/docs\/architecture.md: listed twice: /' >"$work/breaches"
LC_ALL=C comm -13 "$work/listed" "$work/there" | sed 's/^/docs\/architecture.md: not listed: /' >>"$work/breaches"
LC_ALL=C comm -23 "$work/listed" "$work/there" | sed 's/^/docs\/architecture.md: not there: /' >>"$work/breaches"
cat "$work/breaches"
[ ! -s "$work/breaches" ] || failed=1

for page in README.md CHANGELOG.md docs/*.md; do
    grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//' >"$work/links" || true
    while read -r link; do
        case $link in '' | http://* | https://*) continue ;; esac
        [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link is not there"; failed=1; }
    done <"$work/links"
done
exit $failed
