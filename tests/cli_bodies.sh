#!/bin/sh
# usage: cli_bodies.sh CORDAGE
#
# Bodies in recordings: check, info, every export, resuming bit for bit, pictures and the page.
. "$(dirname "$0")/support/command.sh"

cat >tetrahedron.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
END
cat >bodies.yaml <<'END'
cordage: 1
title: Things on a rope
run: {until: 1 s, dt: 4 ms, frames: 50 Hz}
strands:
  - name: rope
    shape: {line: {from: [0, 0, 0], to: [40 cm, 0, 0], vertices: 11}}
    material: rubber
    section: {circle: {radius: 3 mm}}
bodies:
  - name: bob
    shape: {box: {size: [10 cm, 6 cm, 4 cm]}}
    density: 300 kg/m^3
    position: [45 cm, 0, 0]
    angular_velocity: [3 rad/s, 0, 0]
    colour: "#c04020"
  - {name: ball, shape: {sphere: {radius: 3 cm}}, position: [0, 30 cm, 0], clamped: yes}
  - {name: can, shape: {cylinder: {radius: 3 cm, length: 8 cm}}, position: [0, 40 cm, 0], clamped: yes}
  - {name: pill, shape: {capsule: {radius: 2 cm, length: 8 cm}}, position: [0, 50 cm, 0], clamped: yes}
  - {name: stone, shape: {mesh: {file: tetrahedron.obj, scale: 10 cm}}, position: [0, 60 cm, 0],
     angular_velocity: [1, 2, 3]}
  - {name: unseen, mass: 1 kg, inertia: [1, 1, 1], clamped: yes}
clamps: [{at: rope@start}]
constraints:
  - {kind: coincide, first: rope@end, second: {body: bob, at: [-5 cm, 0, 0]}}
probes: [{name: spin, of: bob, measure: angular-velocity}]
END

# ---- check, run, info
"$cordage" check bodies.yaml >said
says said "1 strands, 6 bodies"
says said "bob: body, box, 0.072 kg"
"$cordage" check bodies.yaml --json | grep -q '"shape": *"capsule"' || fail "check --json"
"$cordage" run bodies.yaml --out whole --quiet --png end.png --size 320x240
[ -s end.png ] || fail "no picture"
"$cordage" info whole >said
says said "body bob: box, 0.072 kg"
says said "body stone: mesh, 0.166667 kg"
says said "body unseen: none, 1 kg"
"$cordage" info whole --json | grep -q '"shape": *"cylinder"' || fail "info --json"
"$cordage" run bodies.yaml --set strands=[] --set clamps=[] --set constraints=[] --out bare --quiet
"$cordage" info bare | grep -q "body ball" || fail "a scene without strands"

# ---- export
for format in vtk usd obj csv npz; do
    "$cordage" export whole --to $format >said || fail "export --to $format"
    says said "51 frames in "
    "$cordage" export bare --to $format --quiet || fail "export without strands to $format"
done
cmp whole/csv/bodies.csv whole/bodies.csv || fail "exported CSV differs from the run's"
[ "$(wc -l <whole/bodies.csv)" = 307 ] || fail "bodies.csv: rows"
head -1 whole/bodies.csv >said
says said "time [s],body,x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s]"
grep -q 'NumberOfLines="1" NumberOfStrips="0" NumberOfPolys="[1-9]' whole/vtk/frame_000050.vtp ||
    fail "VTK: triangles"
for prim in 'def Xform "bob"' 'def Cube "shape"' 'def Sphere "shape"' 'def Cylinder "shape"' \
    'def Capsule "shape"' 'def Mesh "shape"' 'faceVertexCounts = [3, 3, 3, 3]' \
    'xformOp:translate.timeSamples' 'xformOp:orient.timeSamples' 'primvars:displayColor'; do
    says whole/recording.usda "$prim"
done
sed -n '/^o bob/,/^o /p' whole/obj/frame_000000.obj >said
[ "$(grep -c '^v ' said)" = 24 ] && [ "$(grep -c '^f ' said)" = 12 ] || fail "OBJ: a box"
says said "v 0.4 -0.03 -0.02"
for name in bob.position bob.rotation bob.velocity bob.angular_velocity stone.position; do
    grep -aq "$name.npy" whole/recording.npz || fail "NPZ: no $name"
done

# ---- the page has them
says whole/index.html '"bodies":[{"name":"bob","shape":"box"'

# ---- going on is bit for bit the same
"$cordage" run bodies.yaml --out parts --until "0.4 s" --quiet
"$cordage" run bodies.yaml --out parts --resume --until "1 s" --quiet
cmp parts/bodies.csv whole/bodies.csv || fail "resumed bodies differ"
cmp parts/frames.csv whole/frames.csv || fail "resumed strands differ"
cmp parts/spin.csv whole/spin.csv || fail "resumed probes differ"
"$cordage" export parts --to npz --quiet
cmp parts/recording.npz whole/recording.npz || fail "resumed recording differs"
