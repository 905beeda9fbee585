#!/bin/sh
# usage: run.sh [SECONDS]
# Builds the fuzzers of scenes and of recordings with clang and the address and undefined-behaviour sanitizers, and
# runs each on its corpus of the tree for SECONDS (600). Findings are written to build-fuzz/findings and make it fail.
set -eu
cd "$(dirname "$0")/.."
seconds=${1-600}
clang=${CLANG-clang}
mkdir -p build-fuzz/corpus build-fuzz/findings

# Only the sources that the readers need: scenes and the layers below them, and those of recordings.
sources=$(find src/math src/curve src/block src/strand src/body src/constraint src/contact src/solve \
    src/world src/force src/cable src/scene -name '*.c' 2>/dev/null | LC_ALL=C sort)
flags="-std=c17 -O1 -g -fno-sanitize-recover=all -D_POSIX_C_SOURCE=200809L
    -D_XOPEN_SOURCE=700 -Iinclude -Isrc -I. -I/usr/include/suitesparse -Wno-unknown-pragmas"
libraries="-lyaml -lamd -lsuitesparseconfig $(cc -print-file-name=libgomp.so) -lm"
# shellcheck disable=SC2086 # lists of words
"$clang" $flags -fsanitize=fuzzer,address,undefined fuzz/scene_fuzzer.c $sources $libraries \
    -o build-fuzz/scene_fuzzer

record=$(find src/record -name '*.c' ! -name 'html*' ! -name pack.c | LC_ALL=C sort)
# shellcheck disable=SC2046,SC2086 # lists of words
"$clang" $flags -DCORDAGE_HDF5 -fsanitize=address,undefined $(pkg-config --cflags hdf5 libpng zlib) \
    fuzz/recording_fuzzer.c cli/recording.c $record $sources $libraries \
    $(pkg-config --libs hdf5 libpng zlib) -o build-fuzz/recording_fuzzer

(cd build-fuzz/findings &&
    ../recording_fuzzer 1000000000 "$seconds" "$(date +%s)" ../../fuzz/recordings/*.h5)

build-fuzz/scene_fuzzer -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 -max_len=8192 \
    -dict=fuzz/scene.dict -artifact_prefix=build-fuzz/findings/ -print_final_stats=1 \
    build-fuzz/corpus fuzz/corpus
