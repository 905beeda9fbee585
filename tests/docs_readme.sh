#!/bin/sh
# usage: docs_readme.sh ROOT BUILD CMAKE CC
#
# Does what the README says: runs its scene with the command and finds the results it names; builds its
# program by pkg-config against the installed library, and gets the line it says is printed.
set -eu
root=$1 build=$2 cmake=$3 cc=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
readme=$root/README.md

fail() {
    echo "docs_readme: $1"
    exit 1
}

# block LANGUAGE FILE: the README's only block of that language
block() {
    [ "$(grep -c "^\`\`\`$1\$" "$readme")" = 1 ] || fail "README.md has not exactly one block of $1"
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{/^\`\`\`/!p}" "$readme" >"$2"
    [ -s "$2" ] || fail "README.md's block of $1 is empty"
}

cd "$work"
scene=$(sed -n 's/^ *build\/cordage run \([a-z-]*\.yaml\)$/\1/p' "$readme")
[ -n "$scene" ] || fail "README.md does not run its scene"
block yaml "$scene"
"$build/cordage" check "$scene" >log 2>&1 || { cat log; fail "cordage check $scene"; }
"$build/cordage" run "$scene" --check >log 2>&1 || { cat log; fail "cordage run $scene --check"; }
grep -q 'met: ' log || { cat log; fail "the scene expects nothing"; }
grep -o "${scene%.yaml}-results/[a-z-]*\.[a-z0-9]*" "$readme" | LC_ALL=C sort -u >named
ls "${scene%.yaml}-results"/* | LC_ALL=C sort >left
diff named left || fail "results that README.md names (<) are not those that are left (>)"

block c rod.c
"$cmake" --install "$build" --prefix "$work/prefix" >log || { cat log; fail "install"; }
libdir=$(dirname "$(find "$work/prefix" -name libcordage.so)")
# shellcheck disable=SC2046 # the flags are words
"$cc" -std=c17 -Wall -Wextra -Werror rod.c \
    $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs cordage) -o rod || fail "rod.c"
said=$(LD_LIBRARY_PATH=$libdir ./rod) || fail "the program failed: $said"
grep -qF "prints \`$said\`" "$readme" || fail "the program says '$said', which README.md does not"
