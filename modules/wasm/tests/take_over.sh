#!/bin/sh
# usage: take_over.sh NODE CORDAGE ENGINE.JS SCENE
# The page of a run is taken over, by take_over.mjs. Skipped where the engine was not built.
set -eu
[ -f "$3" ] || exit 77
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$2" run "$4" --out "$out" --quiet >/dev/null
exec "$1" "$(dirname "$0")/take_over.mjs" "$out/index.html"
