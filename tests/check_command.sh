#!/bin/sh
# usage: check_command.sh CORDAGE
# `cordage check`: what it says, to people and to machines, and how it exits.
. "$(dirname "$0")/support/command.sh"

fail() {
    cat log
    echo "check_command: $1"
    exit 1
}
expect() {
    grep -qF "$1" log || fail "does not say '$1'"
}

cat >rope.yaml <<'END'
cordage: 1
let: {n: 21}
run: {until: 1 s, dt: 1 ms, frames: 50 Hz}
strands:
  - name: rope
    repeat: {count: 2, offset: [0, 1 cm, 0]}
    shape: {line: {from: [0, 0, 0], to: [1 m, 0, 0], vertices: $n}}
    material: nylon
    section: {circle: {radius: 5 mm}}
END
"$cordage" check rope.yaml >log 2>&1 || fail "a good scene"
expect "1 s in steps of 0.001 s, 51 frames"
expect "rope[1]: der, open, 21 vertices, 1 m"
expect "slenderness 100, shortest element 0.05 m"
expect "fastest bending wave on the mesh"
expect "largest stable explicit step"
! grep -q 'second look' log || fail "warns of nothing"

"$cordage" check rope.yaml --set let.n=3 --set strands.rope.initial_twist="3 turns" >log 2>&1 ||
    fail "warnings are not errors"
expect "Warnings:"
expect "deg of twist per element"

"$cordage" check rope.yaml --json >log 2>&1 || fail "--json"
for key in good errors warnings strands unknowns rows frames slenderness wave_speed wave_period \
    stable_step bending twisting mass; do
    expect "\"$key\":"
done
if command -v python3 >/dev/null; then
    python3 -c 'import json; d = json.load(open("log")); assert d["frames"] == 51 and len(d["strands"]) == 2' ||
        fail "not what JSON should say"
fi

code=0
"$cordage" check rope.yaml --set run.dt=-1 >log 2>&1 || code=$?
[ $code = 2 ] || fail "a wrong scene exits with $code"
expect "dt must be positive, got -1"
code=0
"$cordage" check none.yaml >log 2>&1 || code=$?
[ $code = 2 ] || fail "a missing scene exits with $code"
expect "none.yaml: cannot be opened"
