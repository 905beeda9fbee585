#!/bin/sh
# usage: run.sh [SECONDS]
# Builds the fuzzer with clang and the address and undefined-behaviour sanitizers, and runs it on the corpus of
# the tree for SECONDS (600). Findings are written to build-fuzz/findings and make it fail.
set -eu
cd "$(dirname "$0")/.."
seconds=${1-600}
clang=${CLANG-clang}
mkdir -p build-fuzz/corpus build-fuzz/findings

# Only the sources that the reader needs: scenes and the layers below them.
sources=$(find src/math src/curve src/block src/strand src/body src/constraint src/contact src/solve \
    src/world src/scene -name '*.c' 2>/dev/null | LC_ALL=C sort)
# shellcheck disable=SC2086 # a list of words
"$clang" -std=c17 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -Iinclude -Isrc -I/usr/include/suitesparse \
    -Wno-unknown-pragmas fuzz/scene_fuzzer.c $sources -lyaml -lamd -lsuitesparseconfig \
    "$(cc -print-file-name=libgomp.so)" -lm \
    -o build-fuzz/scene_fuzzer

build-fuzz/scene_fuzzer -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 -max_len=8192 \
    -dict=fuzz/scene.dict -artifact_prefix=build-fuzz/findings/ -print_final_stats=1 \
    build-fuzz/corpus fuzz/corpus
