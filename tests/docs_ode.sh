#!/bin/sh
# usage: docs_ode.sh ROOT BUILD CMAKE CC
#
# Does what docs/ode.md says: builds its program by pkg-config against the installed library, and gets the
# line it says is printed. The same by find_package.
set -eu
root=$1 build=$2 cmake=$3 cc=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$root/docs/ode.md

fail() {
    echo "docs_ode: $1"
    exit 1
}

cd "$work"
[ "$(grep -c '^```c$' "$page")" = 1 ] || fail "docs/ode.md has not exactly one block of C"
sed -n '/^```c$/,/^```$/{/^```/!p}' "$page" >crate.c
"$cmake" --install "$build" --prefix "$work/prefix" >log || { cat log; fail "install"; }
libdir=$(dirname "$(find "$work/prefix" -name libcordage-ode.so)")
# shellcheck disable=SC2046 # the flags are words
"$cc" -std=c17 -Wall -Wextra -Werror crate.c \
    $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs cordage-ode) -o crate || fail "crate.c"
said=$(LD_LIBRARY_PATH=$libdir ./crate) || fail "the program failed: $said"
grep -qF "prints \`$said\`" "$page" || fail "the program says '$said', which docs/ode.md does not"

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(crate LANGUAGES C)
find_package(Cordage 0.1 REQUIRED COMPONENTS ode)
add_executable(crate crate.c)
target_link_libraries(crate PRIVATE Cordage::cordage_ode)
END
"$cmake" -S . -B by_cmake -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/prefix" >log 2>&1 &&
    "$cmake" --build by_cmake >>log 2>&1 || { cat log; fail "find_package"; }
[ "$(by_cmake/crate)" = "$said" ] || fail "built by find_package it says something else"
