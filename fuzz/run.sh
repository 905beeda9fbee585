#!/bin/sh
# usage: run.sh [SECONDS]
# Builds the fuzzers with clang and the address and undefined-behaviour sanitizers, and runs each on its corpus in the
# tree for SECONDS (600). Findings are written to build-fuzz/findings and make it fail.
set -eu
cd "$(dirname "$0")/.."
seconds=${1-600}
clang=${CLANG-clang}
mkdir -p build-fuzz/findings

# Only the sources that the fuzzers need: scenes and the layers below them.
sources=$(find src -name '*.c' ! -path 'src/record/*' | LC_ALL=C sort)

# build NAME: build-fuzz/NAME from fuzz/NAME.c
build() {
    # shellcheck disable=SC2086 # a list of words
    "$clang" -std=c17 -O1 -g -fsanitize=fuzzer,address,undefined,float-cast-overflow \
        -fno-sanitize-recover=all -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -Iinclude -Isrc \
        -I/usr/include/suitesparse -Wno-unknown-pragmas "fuzz/$1.c" $sources -lyaml -lamd \
        -lsuitesparseconfig "$(cc -print-file-name=libgomp.so)" -lm -o "build-fuzz/$1"
}

# run NAME CORPUS OPTIONS...
run() {
    name=$1 corpus=$2
    shift 2
    mkdir -p "build-fuzz/$corpus"
    "build-fuzz/$name" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 \
        -artifact_prefix=build-fuzz/findings/ -print_final_stats=1 "$@" \
        "build-fuzz/$corpus" "fuzz/$corpus"
}

build scene_fuzzer
build api_fuzzer
run scene_fuzzer corpus -max_len=8192 -dict=fuzz/scene.dict
run api_fuzzer api -max_len=4096
