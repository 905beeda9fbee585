#!/bin/sh
# usage: cli_fit.sh CORDAGE SOURCE
# Drawn curves through the command: tables, JSON, scenes that run, and what is wrong with a file.
. "$(dirname "$0")/support/expect.sh"
source=$2
tail=$source/gallery/clothoids/cat-tail.svg

# fits CODE TEXT ARGUMENT...: of `cordage fit`
fits() {
    code=$1 text=$2
    shift 2
    expect "$code" "$text" fit "$@"
}

# A square, a quarter of a circle, a coil.
printf 'x,y\n0,0\n1,0\n1,1\n0,1\n0,0\n' >square.csv
awk 'BEGIN { for (i = 0; i <= 20; i++) print cos(i * 0.0785398), sin(i * 0.0785398) }' >arc.csv
awk 'BEGIN { for (i = 1; i <= 60; i++) print "v", cos(i / 6), sin(i / 6), i / 30
             printf "l"; for (i = 1; i <= 60; i++) printf " %d", i; print ""
             print "v 5 0 0"; print "v 6 0 0"; print "l 61 62" }' >coil.obj

fits 0 "4 elements in total" square.csv
fits 0 "both" square.csv
fits 0 "1 elements in total" arc.csv
fits 0 "1 elements in total" arc.csv --kind helix
fits 0 "the tolerance 0.002 m" arc.csv --tolerance "2 mm"
fits 0 "2 elements in total" coil.obj --kind helix # two lines
fits 0 "6 elements in total" "$tail" --scale "1 mm" --tolerance "1 mm"

# What is written reads and runs, and is where the drawing is.
fits 0 "elements" "$tail" --scale "1 mm" --tolerance "1 mm" --scene tail.yaml --csv tail.csv
"$cordage" check tail.yaml >out 2>err || fail "cordage check: the scene of a tail is wrong"
grep -q "clothoid" out || fail "cordage check: no clothoid"
"$cordage" run tail.yaml --until 20ms --out results >out 2>err || fail "cordage run: the tail does not"
head -2 tail.csv | tail -1 | awk -F, '{ exit !($3 > 0.013 && $3 < 0.017) }' ||
    fail "the tail does not begin where it is drawn"
fits 0 "elements" square.csv --scene square.yaml
[ "$(grep -c 'kind: coincide' square.yaml)" = 4 ] || fail "a square has four corners"
"$cordage" check square.yaml >out 2>err || fail "cordage check: the scene of a square is wrong"
"$cordage" fit square.csv --json >out 2>err || fail "cordage fit --json"
! command -v python3 >/dev/null || python3 -m json.tool <out >/dev/null || fail "not JSON"
grep -q '"corner_at_end":' out || fail "--json: no corners"

# A zigzag without corners is more than 200 arcs can follow.
awk 'BEGIN { for (i = 0; i < 40; i++) print i * 0.01, i % 2 }' >zigzag.csv
fits 1 "more than the tolerance" zigzag.csv --corners 180 --tolerance 1e-6 --kind helix

fits 64 "which file?"
fits 64 "did you mean --tolerance?" arc.csv --tolerence 1
fits 64 '--tolerance cannot be "0"' arc.csv --tolerance 0
fits 64 '--tolerance cannot be "-1 mm"' arc.csv --tolerance "-1 mm"
fits 64 '--tolerance cannot be "1 s"' arc.csv --tolerance "1 s"
fits 64 '--kind cannot be "spline"' arc.csv --kind spline
fits 64 '--corners cannot be "0"' arc.csv --corners 0
fits 64 "not both" arc.csv --planar --spatial
fits 64 "one argument too many" arc.csv square.csv
fits 2 "missing.svg: cannot be opened: No such file or directory" missing.svg
fits 2 "is not planar" coil.obj --planar
printf '<svg><circle r="1"/></svg>' >empty.svg
fits 2 "empty.svg: has no path" empty.svg
printf '<svg><path d="M 1 1"/></svg>' >point.svg
fits 2 "at least 2" point.svg
printf '1,1\n1,1\n' >point.csv
fits 2 "1 different points; it needs at least 2" point.csv
printf '1,1\n2,nan\n' >nan.csv
fits 2 "nan.csv:2:1: expected the numbers" nan.csv
printf 'v 0 0 0\nv 1 0 0\n' >none.obj
fits 2 "has no line 1" none.obj
: >nothing.csv
fits 2 "the curve has 0 points; it needs at least 2" nothing.csv
fits 3 "cannot be written" arc.csv --scene missing/scene.yaml

[ $failed -eq 0 ] && echo "cli_fit: good"
exit $failed
