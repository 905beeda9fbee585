#!/bin/sh
# usage: docs_first_steps.sh ROOT BUILD
#
# Does what docs/first-steps.md says, block by block, in an empty folder:
#   ```yaml NAME           is written to NAME
#   ```sh                  is run, and must succeed
#   ```sh fails            is run, and must fail
#   ```sh optional NAME    is run where the program, or Python's module, NAME is there
set -eu
root=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$build" build

awk '
/^```/ && !inside { inside = 1; n++; head = substr($0, 4); print head > sprintf("block-%02d.head", n); next }
/^```/ { inside = 0; next }
inside { print > sprintf("block-%02d.text", n) }' "$root/docs/first-steps.md"

ran=0
for head in block-*.head; do
    # shellcheck disable=SC2046 # words
    set -- $(cat "$head")
    text=${head%.head}.text
    case "$1 ${2-}" in
    yaml\ *) cp "$text" "$2" ;;
    "sh ") sh -eu "$text" >log 2>&1 || { cat "$text" log; echo "docs_first_steps: failed"; exit 1; } ;;
    "sh fails")
        if sh -eu "$text" >log 2>&1; then
            cat "$text" log
            echo "docs_first_steps: this should have failed"
            exit 1
        fi
        grep -q 'did you mean "section"' log || { cat log; exit 1; } ;;
    "sh optional")
        if command -v "$3" >/dev/null || python3 -c "import $3" 2>/dev/null; then
            sh -eu "$text" >log 2>&1 || { cat "$text" log; exit 1; }
        fi ;;
    *) echo "docs_first_steps: what is a block of '$*'?"; exit 1 ;;
    esac
    ran=$((ran + 1))
done
[ "$ran" -ge 10 ] || { echo "docs_first_steps: only $ran blocks"; exit 1; }

# What the text says came out.
for file in rope-results/middle.csv rope-results/hook.csv rope-results/frames.csv twice/middle.csv; do
    [ -s "$file" ] || { echo "docs_first_steps: no $file"; exit 1; }
done
awk -F, 'NR > 1 && ($4 > -0.25 || $4 < -0.29) { print "the middle is at", $4; exit 1 }' \
    rope-results/middle.csv
