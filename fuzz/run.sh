#!/bin/sh
# usage: run.sh [SECONDS]
# Builds the fuzzers with clang and the address and undefined-behaviour sanitizers, and runs each of them (scene, shape,
# step) on its corpus of the tree for SECONDS (600). Findings are written to build-fuzz/findings and make it fail.
set -eu
cd "$(dirname "$0")/.."
seconds=${1-600}
clang=${CLANG-clang}
# An offset of 0 from NULL, as of empty arrays, is no finding (pointer-overflow).
flags="-std=c17 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow
    -fno-sanitize-recover=all -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -Iinclude -Isrc -I.
    -I/usr/include/suitesparse -Wno-unknown-pragmas"
mkdir -p build-fuzz/objects build-fuzz/findings

# The layers up to scenes, compiled once.
# shellcheck disable=SC2086 # a list of words
find src -name '*.c' -not -path 'src/record/*' | LC_ALL=C sort | while read -r source; do
    echo "$source build-fuzz/objects/$(echo "$source" | tr / _).o"
done | xargs -n 2 -P "$(nproc)" sh -c "$clang $(echo $flags) -c \"\$0\" -o \"\$1\""

for target in scene shape step; do
    mkdir -p build-fuzz/corpus/$target
    # shellcheck disable=SC2086 # a list of words
    "$clang" $flags -fsanitize=fuzzer -DTARGET=fuzz_$target fuzz/fuzzer.c fuzz/targets.c build-fuzz/objects/*.o -lyaml \
        -lamd -lsuitesparseconfig "$(cc -print-file-name=libgomp.so)" -lm -o build-fuzz/$target
    echo "fuzz: $target"
    build-fuzz/$target -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 -max_len=8192 -dict=fuzz/scene.dict \
        -artifact_prefix=build-fuzz/findings/$target- -print_final_stats=1 build-fuzz/corpus/$target fuzz/corpus/$target
done
