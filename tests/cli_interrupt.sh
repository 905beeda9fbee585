#!/bin/sh
# usage: cli_interrupt.sh CORDAGE
#
# SIGTERM and SIGINT end the command with their exit code within ten seconds, in computations that would take minutes:
# a search for an equilibrium, a run, a fit. The frames of the run are kept, and resuming gives those of a run that
# was never interrupted.
. "$(dirname "$0")/support/command.sh"

cat >equilibrium.yaml <<'END'
cordage: 1
run: {until: 100 s, dt: 1 ms, start: equilibrium}
strands:
  - name: rope
    shape: {line: {from: [0, 0, 0], to: [1 km, 0, 0], vertices: 200001}}
    material: rubber
    section: {circle: {radius: 1 mm}}
clamps: [{at: rope@start}, {at: rope@end}]
END

cat >rope.yaml <<'END'
cordage: 1
run: {until: 100 s, dt: 1 ms, frames: 200 Hz}
strands:
  - name: rope
    shape: {line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 41}}
    material: rubber
    section: {circle: {radius: 4 mm}}
    damping: 5 ms
clamps: [{at: rope@start}]
probes: [{name: tip, of: rope@end, measure: position}]
END

# A noisy drawing, which needs many elements.
awk 'BEGIN { srand(1); for (i = 0; i < 20000; i++) printf "%g,%g,%g\n", i / 100, rand(), rand() }' >noise.csv

# interrupted SIGNAL CODE ARGUMENT...: the command is sent the signal after it has run for two seconds
interrupted() {
    signal=$1 wanted=$2
    shift 2
    "$cordage" "$@" >said 2>&1 &
    run=$!
    sleep 2
    kill -"$signal" $run 2>/dev/null || { cat said; fail "cordage $*: ended before the signal"; }
    for second in 1 2 3 4 5 6 7 8 9 10; do
        kill -0 $run 2>/dev/null || break
        sleep 1
    done
    ! kill -0 $run 2>/dev/null || { kill -9 $run; fail "cordage $*: runs $second s after $signal"; }
    code=0
    wait $run || code=$?
    [ "$code" = "$wanted" ] || { cat said; fail "cordage $*: exit code $code, not $wanted"; }
}

interrupted TERM 143 run equilibrium.yaml --out equilibrium --format csv
interrupted INT 130 run rope.yaml --out rope --format hdf5,csv
interrupted TERM 143 fit noise.csv --tolerance "1 mm"

frames=$("$cordage" info rope | sed -n 's/^ *\([0-9]*\) frames .*/\1/p')
[ "$frames" -gt 0 ] || fail "no frame was kept"
time=$(awk -v frames="$frames" 'BEGIN { print frames / 200 + 0.5 }')
"$cordage" run rope.yaml --out rope --resume --until "$time s" --quiet || fail "resuming"
"$cordage" run rope.yaml --out whole --format hdf5,csv --until "$time s" --quiet
tail -n 1 rope/tip.csv >last
tail -n 1 whole/tip.csv | cmp - last || fail "the resumed run differs from one that was never interrupted"
