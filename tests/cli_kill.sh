#!/bin/sh
# usage: cli_kill.sh CORDAGE [TIMES]
#
# Kills a run with -9 at some moment, again and again: each time the recording opens, can be exported
# and is resumed; at last its frames are those of a run that was never touched. Of one rope, and of many
# hairs, whose frames are larger than a chunk of the file.
. "$(dirname "$0")/support/command.sh"
times=${2-10}

cat >rope.yaml <<'END'
cordage: 1
run: {until: 20 s, dt: 1 ms, frames: 200 Hz}
strands:
  - name: rope
    shape: {line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 41}}
    material: rubber
    section: {circle: {radius: 4 mm}}
    damping: 5 ms
clamps: [{name: wall, at: rope@start}]
probes: [{name: tip, of: rope@end, measure: position}]
END

cat >hair.yaml <<'END'
cordage: 1
world: {integrator: symplectic}
run: {until: 1 s, dt: 1 ms, frames: 200 Hz}
strands:
  - name: hair
    repeat: {count: 150, offset: [0, 1 mm, 0]}
    shape: {line: {from: [0, 0, 0], to: [10 cm, 0, 0], vertices: 21}}
    material: rubber
    section: {circle: {radius: 0.5 mm}}
clamps: [{at: "hair[$i]@start", repeat: {count: 150}}]
probes: [{name: tip, of: "hair[75]@end", measure: position}]
END

# disturb SCENE TIMES
disturb() {
    rm -rf whole killed
    "$cordage" run "$1" --out whole --format hdf5,csv --quiet
    flag=
    before=0
    killed=0
    for time in $(seq "$2"); do
        "$cordage" run "$1" --out killed --format hdf5,csv --quiet $flag 2>log &
        run=$!
        sleep "$(awk -v seed="$time$$" 'BEGIN { srand(seed); print 0.1 + 0.6 * rand() }')"
        if kill -9 $run 2>/dev/null; then killed=$((killed + 1)); fi
        wait $run 2>/dev/null || true
        if [ ! -e killed/recording.h5 ]; then continue; fi # killed before the first frame
        "$cordage" info killed >said 2>&1 || { cat said; ls -l killed; fail "unreadable after kill $time"; }
        "$cordage" export killed --to npz --out killed.npz >said 2>&1 || { cat said; fail "export after kill $time"; }
        frames=$(sed -n 's/^ *\([0-9]*\) frames .*/\1/p' said)
        [ -n "$frames" ] || frames=$("$cordage" info killed | sed -n 's/^ *\([0-9]*\) frames .*/\1/p')
        [ "$frames" -ge "$before" ] || fail "kill $time lost frames that were there: $before, then $frames"
        before=$frames
        flag=--resume
    done
    "$cordage" run "$1" --out killed $flag --quiet 2>log || { cat log; fail "the last resuming of $1"; }
    "$cordage" export whole --to npz --quiet
    "$cordage" export killed --to npz --quiet
    cmp whole/recording.npz killed/recording.npz || fail "$1: frames differ from those of an undisturbed run"
    cmp whole/tip.csv killed/tip.csv || fail "$1: tip.csv differs from that of an undisturbed run"
    echo "cli_kill: $1 killed $killed times; the frames are those of an undisturbed run"
}

disturb rope.yaml "$times"
disturb hair.yaml "$times"
