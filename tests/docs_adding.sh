#!/bin/sh
# usage: docs_adding.sh ROOT BUILD LIBRARY...
#
# The walks of docs/adding.md that are kept as patches, docs/adding/NAME.patch, apply to a copy of the tree;
# the sources that they touch compile, and the tests that they add (tests/test_NAME.c) pass. Touched objects
# are linked before the libraries of BUILD, whose own versions of them the linker then leaves out. LIBRARY...:
# the system's libraries that a test is linked with.
set -eu
root=$1
build=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiler=${CC:-cc}

for patch in "$root"/docs/adding/*.patch; do
    tree=$work/tree
    rm -rf "$tree" "$work/objects"
    mkdir -p "$tree" "$work/objects"
    cp -R "$root/src" "$root/include" "$root/tests" "$root/docs" "$tree/"
    (cd "$tree" && patch --batch --silent -p1 <"$patch") || { echo "$patch does not apply"; exit 1; }
    touched=$(sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "$patch")
    for source in $touched; do
        case $source in
        src/*.c | tests/*.c) ;;
        *) continue ;;
        esac
        "$compiler" -std=c17 -O1 -fopenmp -Wall -Wextra -Wpedantic -Wshadow -Werror \
            -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 \
            -I"$tree/include" -I"$tree/src" -I"$tree/tests" \
            -o "$work/objects/$(echo "$source" | tr / _).o" -c "$tree/$source"
    done
    ls "$work"/objects/tests_test_*.o >/dev/null || { echo "$patch adds no test"; exit 1; }
    for test in "$work"/objects/tests_test_*.o; do
        "$compiler" -fopenmp -o "$work/test" "$test" "$work"/objects/src_*.o \
            "$build/tests/libtest_support.a" "$build/libcordage_baselines.a" "$build/libcordage.a" "$@" -lm
        (cd "$tree" && "$work/test")
    done
    echo "$(basename "$patch" .patch): $(echo "$touched" | wc -l) files touched"
done
