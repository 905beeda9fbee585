#!/bin/sh
# usage: docs_scene_examples.sh ROOT CORDAGE
#
# Every example in docs/scene.md and docs/cables.md is a scene without mistakes. Those that are parts of one begin without
# `cordage: 1`, which is put before them.
set -eu
root=$1 cordage=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
awk '
FNR == 1 { inside = 0 }
/^```yaml$/ { n++; file = sprintf("example-%02d.yaml", n); first = 1; inside = 1; next }
/^```$/ { inside = 0; next }
inside && first { if ($0 != "cordage: 1") print "cordage: 1" > file; first = 0 }
inside { print > file }' "$root/docs/scene.md" "$root/docs/cables.md"
count=0
for file in example-*.yaml; do
    "$cordage" check "$file" >log 2>&1 || { cat "$file" log; exit 1; }
    ! grep -q 'second look' log || { cat "$file" log; exit 1; }
    count=$((count + 1))
done
[ $count -ge 3 ] || { echo "docs_scene_examples: only $count examples"; exit 1; }
