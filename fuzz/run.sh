#!/bin/sh
# usage: run.sh [SECONDS]
# Builds the fuzzers with clang and the address and undefined-behaviour sanitizers, and runs each on its corpus in the
# tree for SECONDS (600). Findings are written to build-fuzz/findings and make it fail.
set -eu
cd "$(dirname "$0")/.."
seconds=${1-600}
clang=${CLANG-clang}
# An offset of 0 from NULL, as of empty arrays, is no finding (pointer-overflow).
sanitizers="-fsanitize=address,undefined,float-cast-overflow -fno-sanitize=pointer-overflow -fno-sanitize-recover=all"
flags="-std=c17 -O1 -g $sanitizers -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -DCORDAGE_HDF5 -Iinclude -Isrc -I.
    -I/usr/include/suitesparse $(pkg-config --cflags hdf5 libpng zlib) -Wno-unknown-pragmas"
libraries="-lyaml -lamd -lsuitesparseconfig -lccd $(cc -print-file-name=libgomp.so) $(pkg-config --libs hdf5 libpng zlib) -lm"
mkdir -p build-fuzz/objects build-fuzz/findings

# All sources but those of the page, compiled once.
# shellcheck disable=SC2086 # a list of words
find src -name '*.c' ! -name html.c ! -name html_images.c ! -name html_live.c ! -name pack.c | LC_ALL=C sort | while read -r source; do
    echo "$source build-fuzz/objects/$(echo "$source" | tr / _).o"
done | xargs -n 2 -P "$(nproc)" sh -c "$clang $(echo $flags) -fsanitize=fuzzer-no-link -c \"\$0\" -o \"\$1\""

# build NAME OPTIONS AND SOURCES...
build() {
    name=$1
    shift
    # shellcheck disable=SC2086 # lists of words
    "$clang" $flags "$@" build-fuzz/objects/*.o $libraries -o "build-fuzz/$name"
}

# run NAME CORPUS OPTIONS...: by libFuzzer; the timeout only ends a case that hangs, on a busy machine too
run() {
    name=$1 corpus=$2
    shift 2
    mkdir -p "build-fuzz/corpus/$name"
    echo "fuzz: $name"
    "build-fuzz/$name" -max_total_time="$seconds" -timeout=600 -rss_limit_mb=3000 \
        "-artifact_prefix=build-fuzz/findings/$name-" -print_final_stats=1 "$@" "build-fuzz/corpus/$name" "$corpus"
}

# run_cases NAME FILES...: every case in a process of its own
run_cases() {
    name=$1
    shift
    echo "fuzz: $name"
    (cd build-fuzz/findings && "../$name" 1000000000 "$seconds" "$(date +%s)" "$@")
}

for target in scene shape step live; do
    build $target -fsanitize=fuzzer -DTARGET=fuzz_$target fuzz/fuzzer.c fuzz/targets.c
    run $target fuzz/corpus/$target -max_len=8192 -dict=fuzz/scene.dict
done
build api -fsanitize=fuzzer fuzz/api_fuzzer.c
run api fuzz/api -max_len=4096
build recordings -fsanitize=fuzzer-no-link fuzz/recording_fuzzer.c cli/recording.c
run_cases recordings "$PWD"/fuzz/recordings/*.h5
build physics -fsanitize=fuzzer-no-link fuzz/physics_fuzzer.c
run_cases physics "$PWD"/gallery/*/*.yaml
