#!/bin/sh
# usage: cli_recording.sh CORDAGE
#
# What the command does with recordings: info, export to every format, resuming after an interruption
# and for longer, and what it says when it cannot.
. "$(dirname "$0")/support/command.sh"

cat >rope.yaml <<'END'
cordage: 1
title: A rope let go
run: {until: 2 s, dt: 2 ms, frames: 50 Hz}
strands:
  - name: rope
    shape: {line: {from: [0, 0, 0], to: [40 cm, 0, 0], vertices: 21}}
    material: rubber
    section: {circle: {radius: 3 mm}}
    damping: 20 ms
  - name: hoop 1
    shape: {ring: {radius: 5 cm, vertices: 16}}
    material: rubber
    section: {rectangle: {width: 4 mm, height: 2 mm}}
clamps: [{name: wall, at: rope@start}]
probes: [{name: tip, of: rope@end, measure: position}, {name: pull, of: wall, measure: force}]
END

# ---- run and info
"$cordage" run rope.yaml --out whole --json >whole.json
"$cordage" info whole >said
for words in "A rope let go" "scene: rope.yaml" "101 frames from 0 to 2 s" "can be resumed" \
    "strand rope: der, open, 21 vertices" "strand hoop 1: der, closed" "probe tip: position"; do
    grep -qF "$words" said || { cat said; fail "info does not say '$words'"; }
done
"$cordage" info whole/recording.h5 --json >info.json
grep -q '"frames": *101' info.json || { cat info.json; fail "info --json"; }

# ---- formats
"$cordage" run rope.yaml --out csv-only --until "0.1 s" --format csv --quiet
[ ! -e csv-only/recording.h5 ] || fail "--format csv wrote HDF5"
[ -e csv-only/tip.csv ] || fail "--format csv wrote no CSV"
"$cordage" run rope.yaml --out both --until "0.1 s" --format hdf5,csv --quiet
[ -e both/recording.h5 ] && [ -e both/tip.csv ] || fail "--format hdf5,csv"
"$cordage" run rope.yaml --out chosen --until "0.1 s" --set run.outputs=csv --quiet
[ ! -e chosen/recording.h5 ] && [ -e chosen/tip.csv ] || fail "run.outputs: csv"
refused 2 "formats hdf5, csv" run rope.yaml --out chosen --set run.outputs=stone
refused 64 '--format cannot be "hdf5,stone"' run rope.yaml --format hdf5,stone

# ---- export
for format in vtk usd obj csv npz; do
    "$cordage" export whole --to $format >said || fail "export --to $format"
    grep -q '^101 frames in ' said || { cat said; fail "export --to $format"; }
done
cmp whole/csv/tip.csv whole/tip.csv || fail "exported CSV differs from the run's"
cmp whole/csv/frames.csv whole/frames.csv || fail "exported CSV differs from the run's"
[ "$(ls whole/obj | wc -l)" = 101 ] || fail "OBJ files"
[ "$(grep -c '^v ' whole/obj/frame_000100.obj)" = 37 ] || fail "OBJ vertices"
grep -q '^l 22 .* 37 22$' whole/obj/frame_000000.obj || fail "OBJ: a closed strand is not closed"
grep -q 'upAxis = "Z"' whole/recording.usda || fail "USD: up axis"
grep -q 'metersPerUnit = 1$' whole/recording.usda || fail "USD: units"
grep -q 'def BasisCurves "hoop_1"' whole/recording.usda || fail "USD: names"
[ "$(grep -c '^            [0-9.e-]*: \[' whole/recording.usda)" = 202 ] || fail "USD: time samples"
"$cordage" export whole --to obj --out some --every 10 --from 0.5 --until "1.5 s" >said
grep -q '^6 frames in some' said || { cat said; fail "export --every --from --until"; }

refused 64 "did you mean vtk?" export whole --to vtkk
refused 64 "to which format?" export whole
refused 3 "no frame is between 7 and inf s" export whole --to obj --from 7
refused 3 "is not a recording of Cordage" export rope.yaml --to obj
refused 3 "cannot be read" info nowhere.h5
refused 3 "has no recording" info .
head -c 20000 whole/recording.h5 >short.h5
refused 3 "damaged or cut short" info short.h5
refused 3 "damaged or cut short" export short.h5 --to npz

# ---- NPZ and VTK by those who read them, where they are installed
for python in /usr/bin/python3 python3; do
    command -v $python >/dev/null || continue
    $python - <<'END' || fail "NPZ"
import struct, zipfile
z = zipfile.ZipFile("whole/recording.npz")
assert z.testzip() is None
names = set(z.namelist())
assert {"time.npy", "energies.npy", "rope.positions.npy", "hoop 1.frames.npy", "probe.tip.npy"} <= names, names
b = z.read("rope.positions.npy")
assert b[:8] == b"\x93NUMPY\x01\x00"
n = 10 + struct.unpack("<H", b[8:10])[0]
assert n % 64 == 0
head = eval(b[10:n])
assert head["shape"] == (101, 21, 3) and head["descr"] == "<f8", head
x = struct.unpack("<%dd" % (101 * 21 * 3), b[n:])
assert x[0:3] == (0, 0, 0) and abs(x[60] - 0.4) < 1e-12
tip = [list(map(float, l.split(","))) for l in open("whole/tip.csv").readlines()[1:]]
assert list(x[-3:]) == tip[-1][1:], (x[-3:], tip[-1])
END
    if $python -c 'import numpy' 2>/dev/null; then
        $python - <<'END' || fail "NPZ by NumPy"
import numpy as np
z = np.load("whole/recording.npz")
assert z["time"].shape == (101,) and abs(z["time"][-1] - 2) < 1e-9
assert z["rope.tensions"].shape == (101, 20) and z["probe.pull"].shape == (101, 1, 3)
assert all(np.isfinite(z[k]).all() for k in z)
END
        echo "NumPy reads it"
    fi
    if $python -c 'import vtk' 2>/dev/null; then
        $python - <<'END' || fail "VTK"
import vtk, xml.etree.ElementTree as tree
sets = tree.parse("whole/vtk/recording.pvd").getroot().findall("Collection/DataSet")
assert len(sets) == 101 and abs(float(sets[-1].get("timestep")) - 2) < 1e-9
errors = []
reader = vtk.vtkXMLPolyDataReader()
reader.AddObserver("ErrorEvent", lambda *a: errors.append(a))
reader.SetFileName("whole/vtk/" + sets[50].get("file"))
reader.Update()
out = reader.GetOutput()
assert not errors and out.GetNumberOfPoints() == 37 and out.GetNumberOfLines() == 2
ids = vtk.vtkIdList()
out.GetLines().InitTraversal()
assert out.GetLines().GetNextCell(ids) and ids.GetNumberOfIds() == 21
assert out.GetLines().GetNextCell(ids) and ids.GetNumberOfIds() == 17 and ids.GetId(16) == 21
data = out.GetPointData()
assert data.GetArray("director").GetNumberOfComponents() == 3
for name in ("tension", "curvature", "twist", "speed", "radius", "strand"):
    assert data.GetArray(name).GetNumberOfTuples() == 37, name
assert abs(data.GetArray("radius").GetValue(0) - 3e-3) < 1e-9
assert data.GetArray("tension").GetValue(1) != 0
assert out.GetPoint(0) == (0, 0, 0)
END
        echo "VTK reads it"
    fi
    break
done

# ---- resuming
hash_of() {
    sed -n 's/.*"state_hash": *"\([0-9a-f]*\)".*/\1/p' "$1"
}
same_as_whole() {
    for file in tip pull frames; do
        cmp "$1/$file.csv" "whole/$file.csv" || fail "$1: $file.csv is not as if never interrupted"
    done
    "$cordage" export "$1" --to npz --out "$1.npz" --quiet
    cmp "$1.npz" whole/recording.npz || fail "$1: frames are not as if never interrupted"
}

[ -n "$(hash_of whole.json)" ] || fail "run --json has no state hash"
"$cordage" run rope.yaml --out part --until "0.732 s" --quiet # between two frames
"$cordage" run rope.yaml --out part --resume --until "2 s" --json >part.json
[ "$(hash_of whole.json)" = "$(hash_of part.json)" ] || fail "the state is not that of one run"
same_as_whole part

"$cordage" run rope.yaml --out caught --quiet 2>/dev/null &
run=$!
until [ -e caught/recording.h5 ] || ! kill -0 $run 2>/dev/null; do sleep 0.05; done
kill -TERM $run 2>/dev/null || true
code=0
wait $run || code=$?
[ $code = 143 ] || [ $code = 0 ] || fail "a run that is terminated exits with $code"
"$cordage" run rope.yaml --out caught --resume --quiet 2>/dev/null || fail "resuming after SIGTERM"
same_as_whole caught

refused 0 "the recording is complete up to 2 s" run rope.yaml --out whole --resume
if [ -e whole/index.html ]; then # one page for the whole
    "$cordage" run rope.yaml --out whole --resume --until "2.1 s" >said
    says said "To view the run, open whole/index.html"
    [ "$(ls whole/*.html)" = whole/index.html ] || { ls whole; fail "another page than index.html"; }
fi
refused 3 "nothing to resume" run rope.yaml --out nowhere --resume
refused 64 "cannot be changed" run rope.yaml --out whole --resume --dt "1 ms"
sed 's/40 cm/41 cm/' rope.yaml >other.yaml
refused 2 "was made from another scene" run other.yaml --out whole --resume --until "3 s"

# Included files are part of the scene.
printf 'cordage: 1\ninclude: rope.yaml\nrun: {until: 20 ms, dt: 2 ms, frames: 50 Hz}\n' >outer.yaml
"$cordage" run outer.yaml --out outer --quiet
"$cordage" run outer.yaml --out outer --resume --until "40 ms" --quiet || fail "resuming with includes"
cp rope.yaml kept.yaml
sed 's/40 cm/41 cm/' kept.yaml >rope.yaml
refused 2 "rope.yaml differs" run outer.yaml --out outer --resume --until "60 ms"
cp kept.yaml rope.yaml

# A strand at rest as drawn is so again when the run goes on.
cat >stem.yaml <<'END'
cordage: 1
run: {until: 0.6 s, dt: 5 ms, frames: 20 Hz}
strands:
  - name: stem
    model: clothoid
    planar: yes
    lengths: [20 cm, 20 cm]
    curvatures: [0, 2, 9]
    base: {tangent: [0, 0, 1], director: [1, 0, 0]}
    rest: {stiffen: yes}
    material: {density: 1000, young: 1 MPa}
    section: {circle: {radius: 4 mm}}
    damping: 20 ms
clamps: [{at: stem@start}]
loads: [{at: stem@end, keys: [{t: 0.1 s, force: [0, 0, 0]}, {t: 0.2 s, force: [10 mN, 0, 0]}]}]
END
"$cordage" run stem.yaml --out stem-whole --json >whole.json
"$cordage" run stem.yaml --out stem-part --until "0.27 s" --quiet
"$cordage" run stem.yaml --out stem-part --resume --until "0.6 s" --json >part.json
[ "$(hash_of whole.json)" = "$(hash_of part.json)" ] || fail "a strand at rest resumes otherwise"

mkdir damaged
head -c 30000 whole/recording.h5 >damaged/recording.h5
refused 3 "damaged or cut short" run rope.yaml --out damaged --resume
echo "cli_recording: good"
