#!/bin/sh
# usage: run.sh [SECONDS]
# Builds the fuzzers with clang and the address and undefined-behaviour sanitizers, and runs each on its corpus in the
# tree for SECONDS (600). Findings are written to build-fuzz/findings and make it fail.
set -eu
cd "$(dirname "$0")/.."
seconds=${1-600}
clang=${CLANG-clang}
mkdir -p build-fuzz/findings

# Only the sources that the fuzzers need: scenes and the layers below them, and for recordings their readers and writers.
sources=$(find src -name '*.c' ! -path 'src/record/*' | LC_ALL=C sort)

flags="-std=c17 -O1 -g -fno-sanitize-recover=all -D_POSIX_C_SOURCE=200809L
    -D_XOPEN_SOURCE=700 -Iinclude -Isrc -I. -I/usr/include/suitesparse -Wno-unknown-pragmas"
libraries="-lyaml -lamd -lsuitesparseconfig $(cc -print-file-name=libgomp.so) -lm"
sanitizers=address,undefined,float-cast-overflow

# build NAME SANITIZERS: build-fuzz/NAME from fuzz/NAME.c
build() {
    # shellcheck disable=SC2086 # lists of words
    "$clang" $flags "-fsanitize=$2" "fuzz/$1.c" $sources $libraries -o "build-fuzz/$1"
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

build scene_fuzzer fuzzer,$sanitizers
build api_fuzzer fuzzer,$sanitizers
build physics_fuzzer $sanitizers
record=$(find src/record -name '*.c' ! -name 'html*' ! -name pack.c | LC_ALL=C sort)
# shellcheck disable=SC2046,SC2086 # lists of words
"$clang" $flags -DCORDAGE_HDF5 -fsanitize=address,undefined $(pkg-config --cflags hdf5 libpng zlib) \
    fuzz/recording_fuzzer.c cli/recording.c $record $sources $libraries \
    $(pkg-config --libs hdf5 libpng zlib) -o build-fuzz/recording_fuzzer

# run_cases NAME FILES...: the fuzzers that run every case in a process of its own
run_cases() {
    name=$1
    shift
    (cd build-fuzz/findings && "../$name" 1000000000 "$seconds" "$(date +%s)" "$@")
}

run_cases recording_fuzzer ../../fuzz/recordings/*.h5
run_cases physics_fuzzer ../../gallery/*/*.yaml
run scene_fuzzer corpus -max_len=8192 -dict=fuzz/scene.dict
run api_fuzzer api -max_len=4096
