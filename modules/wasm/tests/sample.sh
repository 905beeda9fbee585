#!/bin/sh
# usage: sample.sh NODE ENGINE.WASM SCENE...
# Some scenes in the engine, by engine.mjs. Skipped where the engine was not built (cmake --build build --target engine).
[ -f "$2" ] || exit 77
node=$1
shift
exec "$node" "$(dirname "$0")/engine.mjs" "$@"
