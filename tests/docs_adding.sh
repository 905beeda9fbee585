#!/bin/sh
# usage: docs_adding.sh ROOT BUILD LIBRARY...
#
# The walks of docs/adding.md that are kept as patches, docs/adding/NAME.patch, apply to a copy of the tree;
# the sources that they touch compile, as do those that expand a list of a touched header (NAME_LIST), and the tests
# that they add (tests/test_NAME.c) pass. The objects are linked before the libraries of BUILD, whose versions of them
# the linker then leaves out. Every line of C in docs/adding.md is a line of a patch or of the scene reader. LIBRARY...:
# the system's libraries that a test is linked with.
set -eu
root=$1
build=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiler=${CC:-cc}

sed -n 's/^+//p' "$root"/docs/adding/*.patch | cat - "$root"/src/scene/table_world.c "$root"/src/scene/build.c >"$work/lines"
awk '/^```/ { inside = $0 == "```c"; next } inside && NF' "$root/docs/adding.md" >"$work/shown"
[ -s "$work/shown" ] || { echo "docs/adding.md shows no code"; exit 1; }
if grep -vxFf "$work/lines" "$work/shown"; then
    echo "docs/adding.md: these lines are neither in a patch nor in the tree"
    exit 1
fi

for patch in "$root"/docs/adding/*.patch; do
    tree=$work/tree
    rm -rf "$tree" "$work/objects"
    mkdir -p "$tree" "$work/objects"
    cp -R "$root/src" "$root/include" "$root/tests" "$root/docs" "$tree/"
    (cd "$tree" && patch --batch --silent -p1 <"$patch") || { echo "$patch does not apply"; exit 1; }
    touched=$(sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "$patch")
    lists=$(cd "$tree" && echo "$touched" | grep '\.h$' |
        xargs sed -n 's/^#define \([A-Z_]*_LIST\)(X).*/\1/p')
    expanding=$(cd "$tree" && for list in $lists; do grep -rlw --include='*.c' "$list" src || true; done)
    for source in $(printf '%s\n' $touched $expanding | LC_ALL=C sort -u); do
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
