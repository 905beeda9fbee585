#!/bin/sh
# model_names.sh accepts a tree that keeps the rules and fails on each way of breaking them.
set -eu
check=$(dirname "$0")/model_names.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/strand" "$tree/src/constraint" "$tree/src/world" "$tree/src/solve" "$tree/src/scene" "$tree/cli"
echo '#define STRAND_LIST(X) X(der) X(spline)' >"$tree/src/strand/registry.h"
printf '#define CONSTRAINT_LIST(X) \\\n    X(coincide) \\\n    X(plane) X(axis)\n' >"$tree/src/constraint/constraint.h"

fail() {
    echo "model_names_selftest: $1"
    exit 1
}

# accepts|refuses FILE TEXT
accepts() {
    printf '%s\n' "$2" >"$tree/$1"
    sh "$check" "$tree" >"$tree/log" || { cat "$tree/log"; fail "refused '$2' in $1"; }
    rm "$tree/$1"
}
refuses() {
    printf '%s\n' "$2" >"$tree/$1"
    if sh "$check" "$tree" >"$tree/log"; then fail "accepted '$2' in $1"; fi
    grep -q "^$1:[0-9]*: " "$tree/log" || { cat "$tree/log"; fail "did not name $1 for '$2'"; }
    rm "$tree/$1"
}

accepts src/solve/a.c 'int a = b->ops->rows; /* as cord__der has */'
accepts src/solve/a.c '/* cord__plane
   cord__axis */ cord__der_like(x); cord__coincide_all();'
accepts src/world/points.c 't->ops = &cord__slider;'
accepts src/strand/a.c 'return &cord__spline;'

refuses src/solve/a.c 'if (ops == &cord__der) return;'
refuses src/solve/a.c 'if (ops == &cord__der.block) return; /* a
comment */'
refuses src/world/a.c 'return &cord__cable;'
refuses src/world/a.c '#include "strand/der/der.h"'
refuses src/solve/a.c '/* the one */ b->ops == &cord__slider'
refuses src/world/a.c 't->ops = &cord__body;'
refuses src/solve/a.c 'if (r->ops == &cord__axis) return;'
refuses src/solve/a.c 'if (r->ops == &cord__axis_within) return;'
refuses src/scene/a.c 'if (strcmp(s->model, CORD_MODEL_DER) == 0) return;'
refuses cli/a.c 'if (strcmp(info.model, "spline") != 0) return;'
refuses src/scene/a.c 'if (strcmp(d->kind, CORD_AXIS) == 0) return;'
