#!/bin/sh
# usage: cli_damage.sh CORDAGE
#
# Damaged recordings, full disks, two runs into one folder, and runs that fail or are interrupted: nothing is
# silent, and every message names its cause.
. "$(dirname "$0")/support/command.sh"

cat >scene.yaml <<'END'
cordage: 1
run: {until: 10 ms, dt: 1 ms, frames: 500 Hz}
strands:
  - name: rope
    shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 9}}
    material: nylon
    section: {circle: {radius: 5 mm}}
bodies:
  - {name: crate, shape: {box: {size: [30 cm, 30 cm, 30 cm]}}, mass: 20 kg, position: [0, 0, -1]}
clamps: [{name: hook, at: rope@start}]
probes: [{name: tip, of: rope@end, measure: position}, {name: pull, of: rope, measure: tension}]
END
"$cordage" run scene.yaml --out whole --format hdf5 --quiet
"$cordage" export whole --to npz --out whole.npz --quiet
refused 0 "every checksum is right" info whole --verify

# ---- single bits: the export is that of the whole recording, or the damage is reported

# flip FILE BIT: changes one bit of a file
flip() {
    byte=$(od -An -tu1 -j$(($2 / 8)) -N1 "$1")
    # shellcheck disable=SC2059 # the format is the byte
    printf "\\$(printf %03o $((byte ^ 1 << $2 % 8)))" |
        dd of="$1" bs=1 seek=$(($2 / 8)) conv=notrunc 2>/dev/null
}

size=$(wc -c <whole/recording.h5)
damaged=0
mkdir bad
for i in $(seq 40); do
    bit=$(((size * 8 / 41 * i + 7919 * i) % (size * 8)))
    cp whole/recording.h5 one.h5
    flip one.h5 $bit
    code=0
    "$cordage" export one.h5 --to npz --out one.npz --quiet >said 2>&1 || code=$?
    if [ $code = 0 ]; then
        cmp -s one.npz whole.npz || fail "bit $bit: a wrong export without a message"
        continue
    fi
    [ $code = 3 ] || { cat said; fail "bit $bit: exit code $code"; }
    grep -q "is damaged\|not an HDF5 file" said || { cat said; fail "bit $bit: no word of damage"; }
    ! grep -q "disk" said || { cat said; fail "bit $bit: the disk is not full"; }
    damaged=$((damaged + 1))
    ! grep -q "frame [0-9]* of /" said || cp one.h5 bad/recording.h5
done
[ $damaged -gt 5 ] || fail "only $damaged of 40 bits were found"

# ---- the dataset and the frames are listed, and such a recording is not continued
[ -e bad/recording.h5 ] || fail "no frame was damaged"
refused 3 "damaged: /" info bad --verify
grep -q "damaged: /.*, frame" said || { cat said; fail "info --verify names no frame"; }
refused 3 "is not continued" run scene.yaml --out bad --resume --until "20 ms"
says said "damaged: /"
says said "run without --resume"
"$cordage" run scene.yaml --out bad --format hdf5 --quiet || fail "beginning anew"
refused 3 "No such file" info missing.h5 --verify
refused 3 "is not a recording of Cordage" info scene.yaml --verify
refused 3 "is not a recording of Cordage" export scene.yaml --to csv

# ---- a full disk: SIGXFSZ stands for it
code=0
(ulimit -f 128 && "$cordage" run scene.yaml --out limited --until "100 s" --format hdf5 --quiet) >said 2>&1 || code=$?
[ $code = 3 ] || { cat said; fail "a file that is too large: exit code $code"; }
says said "recording.h5: File too large"
refused 0 "every checksum is right" info limited --verify

# ---- two runs into one folder; an interrupted one says how it goes on
"$cordage" run scene.yaml --out "one folder" --until "1e4 s" --format hdf5 >first 2>&1 &
run=$!
until [ -e "one folder/recording.h5" ] || ! kill -0 $run; do sleep 0.05; done
refused 3 "another run, process $run, writes to one folder" run scene.yaml --out "one folder"
refused 3 "another run, process $run, writes to one folder" run scene.yaml --out "one folder" --resume
kill -INT $run
code=0
wait $run || code=$?
[ $code = 130 ] || { cat first; fail "an interrupted run: exit code $code"; }
says first " of 10000 s by a signal"
says first "The recording is one folder/recording.h5"
says first "cordage run scene.yaml --out 'one folder' --resume"
"$cordage" run scene.yaml --out "one folder" --resume --until "1 s" --quiet 2>/dev/null || true
[ ! -e "one folder/.cordage-lock" ] || fail "the lock is left"

# A lock is not left by a process that was killed.
"$cordage" run scene.yaml --out killed --until "1e4 s" --format hdf5 --quiet &
run=$!
until [ -e killed/recording.h5 ] || ! kill -0 $run; do sleep 0.05; done
kill -9 $run
wait $run 2>/dev/null || true
"$cordage" run scene.yaml --out killed --format hdf5 --quiet || fail "after a killed run the folder stays locked"

# ---- a run that fails leaves frame 0, and a page with the message and the culprit
cat >twice.yaml <<'END'
cordage: 1
run: {until: 10 ms, dt: 1 ms}
bodies:
  - {name: free, shape: {sphere: {radius: 10 cm}}, mass: 1 kg, position: [1, 0, 0]}
  - {name: crate, shape: {box: {size: [30 cm, 30 cm, 30 cm]}}, mass: 20 kg, position: [0, 0, 0]}
constraints:
  - {name: left, kind: coincide, first: crate, second: [0, 0, 0]}
  - {name: right, kind: coincide, first: crate, second: [20 cm, 0, 0]}
END
refused 3 "crate" run twice.yaml --out twice
refused 0 "frames from 0 to 0 s" info twice
if [ -e twice/index.html ]; then
    says twice/index.html '"message":"the step failed: '
    says twice/index.html '"strand":-1,"body":1,'
    [ "$(grep -c '^<script type="text/plain" class="frames"' twice/index.html)" = 1 ] || fail "the page has no frame"
fi

# Without an equilibrium to begin with, the scene as drawn is frame 0, from which nothing goes on.
cat >taut.yaml <<'END'
cordage: 1
run: {until: 10 ms, dt: 1 ms, start: equilibrium}
strands:
  - name: rope
    shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 6}}
    material: nylon
    section: {circle: {radius: 5 mm}}
clamps:
  - {name: left, at: rope@start}
  - {name: right, at: rope@end, motion: [{t: 0 s, by: [10 cm, 0, 0]}]}
END
refused 3 "rope" run taut.yaml --out taut
refused 0 "cannot be resumed" info taut
says said "1 frames from 0 to 0 s"
refused 3 "failed before the first step" run taut.yaml --out taut --resume

# A recording has every file that its scene reads: a run is not continued with another drawing.
cat >drawn.yaml <<'END'
cordage: 1
run: {until: 10 ms, dt: 1 ms}
strands: [{name: rope, shape: {csv: {file: rope.csv}}, material: nylon, section: {circle: {radius: 5 mm}}}]
END
printf 'x,y,z\n0,0,1\n0.1,0,1\n0.2,0,1\n' >rope.csv
"$cordage" run drawn.yaml --out drawn --quiet || fail "a drawn rope"
"$cordage" run drawn.yaml --out drawn --resume --until "20 ms" --quiet || fail "a drawn rope, resumed"
printf '0.3,0,1\n' >>rope.csv
refused 2 "another scene: rope.csv differs" run drawn.yaml --out drawn --resume --until "30 ms"
echo "cli_damage: good"
