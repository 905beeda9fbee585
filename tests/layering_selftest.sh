#!/bin/sh
# layering.sh accepts a tree that keeps the rules and fails on each way of breaking them.
set -eu
check=$(dirname "$0")/layering.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/include/cordage" "$tree/src/math" "$tree/src/solve" "$tree/src/world" "$tree/modules/ode"

fail() {
    echo "layering_selftest: $1"
    exit 1
}

# accepts|refuses WHAT FILE TEXT
accepts() {
    printf '%s\n' "$3" >"$tree/$2"
    sh "$check" "$tree" >"$tree/log" || { cat "$tree/log"; fail "refused $1"; }
    rm "$tree/$2"
}
refuses() {
    mkdir -p "$(dirname "$tree/$2")"
    printf '%s\n' "$3" >"$tree/$2"
    if sh "$check" "$tree" >"$tree/log"; then fail "accepted $1"; fi
    grep -q "^$2:[0-9]*: " "$tree/log" || { cat "$tree/log"; fail "did not name the file for $1"; }
    rm "$tree/$2"
}

echo '#include <cordage/status.h>' >"$tree/include/cordage/world.h"

accepts 'its own folder'      src/math/a.c '#include "math/memory.h"'
accepts 'a folder above'      src/solve/a.c '#include "math/memory.h"'
accepts 'public and system'   src/math/a.c '#include <cordage/world.h>
#include <math.h>'
accepts 'a commented include' src/math/a.c '/*
#include "world/world.h"
*/'
accepts 'exit in a comment'   src/math/a.c '/* calls exit(1) */ // abort()
int on_exit(int a); /* assert(a)
   assert(b) */'
accepts 'exit in a string'    src/math/a.c 'const char *t = "say \"exit(1)\"", c = 0x27;'
accepts 'a module itself'     modules/ode/a.c '#include "modules/ode/pair.h"
#include <cordage/world.h>'
accepts 'a static assertion'  src/math/a.c '_Static_assert(1, "one");'

refuses 'a folder below'      src/math/a.c '#include "solve/solve.h"'
refuses 'a header going down' src/solve/a.h '#include "world/world.h"'
refuses 'spaces in include'   src/math/a.c '  #  include  "world/world.h"'
refuses 'a bare name'         src/math/a.c '#include "memory.h"'
refuses 'a relative path'     src/world/a.c '#include "../math/memory.h"'
refuses 'the command'         src/world/a.c '#include "cli/json.h"'
refuses 'an unlisted folder'  src/misc/a.c 'int a;'
rmdir "$tree/src/misc"
refuses 'a public header that looks inside' include/cordage/a.h '#include "math/memory.h"'
refuses 'a module that looks inside' modules/ode/a.c '#include "math/memory.h"'
refuses 'exit in a module'    modules/ode/a.c 'void f(void) { exit(1); }'
refuses 'exit'                src/math/a.c 'void f(void) { exit(1); }'
refuses 'abort'               src/math/a.c 'void f(void) { if (x) abort (); }'
refuses 'assert'              src/math/a.c 'assert(x);'
refuses 'exit after a comment' src/math/a.c '/* a */ exit(1);'
