#!/bin/sh
# usage: test_install.sh CMAKE CC BUILD
#
# Installs BUILD into an empty prefix and builds hello.c against it from outside the tree, by
# pkg-config and by find_package, shared and static; each must run and say its version.
set -eu
cmake=$1 cc=$2 build=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/prefix" # an installed tree can be moved
libdir=$(dirname "$(find "$work/prefix" -name libcordage.so)")
export PKG_CONFIG_PATH="$libdir/pkgconfig"

cp "$here/hello.c" "$here/CMakeLists.txt" "$work"
cd "$work"

says_version() {
    said=$(LD_LIBRARY_PATH=$libdir "$1")
    wanted="cordage $(pkg-config --modversion cordage)"
    [ "$said" = "$wanted" ] || { echo "$1 said '$said', not '$wanted'"; exit 1; }
    echo "$1: $said"
}

# shellcheck disable=SC2046 # the flags are words
"$cc" -std=c17 -Wall -Wextra -Werror hello.c $(pkg-config --cflags --libs cordage) -o by_pkg_config
says_version ./by_pkg_config

# The headers are C++ too, where there is a compiler for it.
if command -v c++ >/dev/null; then
    # shellcheck disable=SC2046
    c++ -x c++ -Wall -Wextra -Werror hello.c $(pkg-config --cflags --libs cordage) -o as_cpp
    says_version ./as_cpp
fi

"$cmake" -S . -B by_cmake -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/prefix" >log 2>&1 &&
    "$cmake" --build by_cmake >>log 2>&1 || { cat log; exit 1; }
says_version by_cmake/hello
says_version by_cmake/hello_static

if [ -x "$build/cordage" ]; then
    [ -x "$work/prefix/bin/cordage" ] || { echo "the command was not installed"; exit 1; }
    for file in share/man/man1/cordage.1 share/bash-completion/completions/cordage; do
        [ -f "$work/prefix/$file" ] || { echo "$file was not installed"; exit 1; }
    done
fi
