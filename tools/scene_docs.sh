#!/bin/sh
# usage: scene_docs.sh [--check] CORDAGE
# Writes docs/scene.schema.json and the reference in docs/scene.md from the tables of the scene
# reader, or (--check) fails when they differ from the output of the command.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
check=false
if [ "$1" = --check ]; then
    check=true
    shift
fi
cordage=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cordage" schema >"$work/scene.schema.json"
{
    sed '/^<!-- reference -->$/q' "$root/docs/scene.md"
    "$cordage" schema --markdown
    echo
    sed -n '/^<!-- \/reference -->$/,$p' "$root/docs/scene.md"
} >"$work/scene.md"

for file in scene.schema.json scene.md; do
    if ! $check; then
        cp "$work/$file" "$root/docs/$file"
    elif ! diff "$root/docs/$file" "$work/$file"; then
        echo "docs/$file differs from the tables of the scene reader; run tools/scene_docs.sh build/cordage"
        exit 1
    fi
done
