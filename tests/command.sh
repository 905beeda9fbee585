#!/bin/sh
# usage: command.sh CORDAGE SOURCE
# The command as people meet it: right and wrong usage, exit codes, signals, pipes.
. "$(dirname "$0")/support/expect.sh"
scenes=$2/gallery/der
rope=$scenes/hanging-rope.yaml

# What is printed with --json is JSON, where there is something to tell.
expect_json()
{
    code=$1
    shift
    "$cordage" "$@" >out 2>err
    got=$?
    [ $got -eq "$code" ] || fail "cordage $*: exit code $got, not $code"
    ! command -v python3 >/dev/null || python3 -m json.tool <out >/dev/null ||
        fail "cordage $*: not JSON"
}

expect 64 "First steps"
expect 0 "Exit codes" --help
expect 0 "--until T" help run
expect 0 "--until T" run --help
expect 0 "--report DIR" help validate
expect 64 "did you mean run?" rnu
expect 64 "which scene?" run
expect 64 "did you mean --until?" run --utnil
expect 64 "--dt needs a value" run "$rope" --dt
expect 64 "output formats, as in hdf5,csv" run "$rope" --format stone
expect 64 "one argument too many" run a b
expect 2 "No such file or directory" run missing.yaml
expect 2 "cordage gallery run hanging-rope" run hanging-rope
expect 2 "Is a directory" run "$scenes"
expect 2 "the file is empty" run /dev/null
expect 2 "--set run.until=-1: until must not be negative" run "$rope" --until -1
expect 2 "--set run.dt=0: dt must be positive" run "$rope" --dt 0
expect 2 "expected a time (s), got a length (m)" run "$rope" --dt "1 m"
expect 2 "expected path.to.key=value" run "$rope" --set drag
expect 2 'called "rop" (did you mean "rope"?)' run "$rope" --set strands.rop.drag=1
expect 2 '(did you mean "drag"?)' run "$rope" --set strands.rope.drg=1
expect 2 "the value is missing" run "$rope" --set strands.rope.drag=
expect 2 "nothing inside" run "$rope" --set strands.rope.drag.x=1
printf 'cordage: 1\nstrands: [1, 2\n' >broken.yaml
expect 2 "broken.yaml:3:1: " run broken.yaml
expect 2 "broken.yaml:3:1: " check broken.yaml
expect 0 "unknowns" check "$rope"
: >file
expect 3 "Not a directory" run "$rope" --out file
expect 3 "Not a directory" run "$rope" --out file/inside
expect 64 "did you mean heavy-cantilever?" gallery run heavy-cantilver
expect 64 "cordage gallery run michell-ring" gallery michell-ring
expect 64 "list, run, check, copy or page" gallery dance
expect 0 "" gallery copy hanging-rope --out "$dir"
sed 1d "$dir/hanging-rope.yaml" | cmp - "$scenes/hanging-rope.yaml" || fail "gallery copy: another file"
head -n 1 "$dir/hanging-rope.yaml" | grep -q 'schema=scene.schema.json' || fail "gallery copy: no line for editors"
[ -s "$dir/scene.schema.json" ] || fail "gallery copy: no schema"
expect 3 "File exists" gallery copy hanging-rope --out "$dir"
expect 0 "" gallery copy cat-tail --out "$dir/new/folder"
mv "$dir"/new/folder/* "$dir" 2>/dev/null || fail "gallery copy: no folder is made"
expect 0 "" check "$dir/cat-tail.yaml" # with the drawing that it needs
(cd "$dir" && "$cordage" run - --until 0.05 --format csv --json <"$scenes/hanging-rope.yaml" >log) || fail "run -"
[ -d "$dir/stdin-results" ] || fail "run -: no results"
grep -q '"final"' "$dir/log" || fail "run --json: no final values of probes"
[ -z "$(ls "$dir" | grep '^stdin-[0-9]')" ] || fail "run -: a temporary file is left"
expect 64 "which scene" gallery copy
expect 64 "no suite" validate dance
expect 64 "no suite" bench dance

expect 0 "met: " run "$scenes/heavy-cantilever.yaml" --check --out here
[ -s here/frames.csv ] || fail "no results"
sed 's/because:/regression:/' "$scenes/heavy-cantilever.yaml" >regression.yaml
expect 0 "(regression: the clamp carries the weight)" run regression.yaml --check --out here
expect 0 "met: " run "$scenes/../micado/rope-bridge.yaml" --check --set let.vertices=65 --out here
expect 1 "NOT MET" run "$scenes/heavy-cantilever.yaml" --check --out here \
    --set strands.rod.material.young="2 MPa"
expect 0 "was not measured at 0.4 s" run "$rope" --until "10 ms" --out here

expect_json 0 gallery list --json
grep -q '"figure": "7"' out || fail "gallery list --json: no figures"
expect_json 0 gallery check heavy-cantilever heavy-cantilever --json
expect_json 0 run "$scenes/heavy-cantilever.yaml" --json --out here
expect_json 2 run missing.yaml --json
expect_json 2 check missing.yaml --json
expect_json 0 check "$rope" --json
expect_json 0 validate --only common-rod --json

# Inverse statics: a stem too soft, one that is off balance, and scenes written with what was found.
cat >stem.yaml <<'END'
cordage: 1
run: {until: 20 ms, dt: 10 ms}
strands:
  - name: stem
    model: clothoid
    planar: yes
    lengths: [20 cm, 20 cm]
    curvatures: [0, 2, 30]
    base: {tangent: [0, 0, 1], director: [1, 0, 0]}
    material: {density: 1000, young: 1 MPa}
    section: {circle: {radius: 4 mm}}
  - name: grass
    repeat: {count: 2, offset: [1 cm, 0, 0]}
    model: helix
    shape: {line: {from: [0, 1, 0], to: [0, 1.1, 0.1]}}
    material: {density: 1000, young: 1 GPa}
    section: {circle: {radius: 1 mm}}
clamps: [{name: foot, at: stem@start}, {at: "grass[$i]@start", repeat: {count: 2}}]
probes: [{name: tip, of: stem@end, measure: velocity}]
expect: [{probe: tip, below: 1e-9, because: it stays}]
END
sed 's/{name: foot, /&frame: no, /' stem.yaml >loose.yaml
expect 64 "which scene?" inverse
expect 64 "the scene has no such strand" inverse stem.yaml --strand stm
expect 64 "its model is der" inverse "$rope" --strand rope
expect 64 "it is PART" inverse stem.yaml --margin -1
expect 64 "make the changes in the scene instead" inverse stem.yaml --set run.dt=1ms --out new.yaml
expect 64 "would overwrite the scene" inverse stem.yaml --out ./stem.yaml
expect 2 "the scene has no chain" inverse "$rope"
expect 2 "No such file or directory" inverse missing.yaml
expect 1 "stem would be unstable at rest: it needs a Young's modulus above" inverse stem.yaml
expect 1 "or a density below" inverse stem.yaml
expect 0 "grass[1]" inverse stem.yaml --strand "grass[1]"
expect 1 "is off balance by" inverse loose.yaml
expect_json 1 inverse stem.yaml --json
expect_json 1 inverse loose.yaml --json
expect 0 "it is stable with" inverse stem.yaml --stiffen --margin 20% --out standing.yaml
expect 0 "grass[1]" inverse standing.yaml
expect 0 "met:" run standing.yaml --check --out standing
expect 1 "NOT MET" run stem.yaml --check --out falling
expect 0 "stem" inverse loose.yaml --rotate --stiffen --out hanging.yaml
expect 0 "met:" run hanging.yaml --check --out hanging

# The matrices of a scene.
cat >bridge.yaml <<'END'
cordage: 1
run: {until: 20 ms, dt: 10 ms}
strands:
  - name: rope
    repeat: {count: 4, offset: [0, 20 cm, 0]}
    shape: {line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 21}}
    material: {density: 1000, young: 10 MPa}
    section: {circle: {radius: 4 mm}}
  - {name: other, shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 5}},
     material: {density: 1000, young: 10 MPa}, section: {circle: {radius: 4 mm}}}
constraints:
  - {kind: distance, first: "rope[$i]@(($j + 1) * 0.1 m)", second: "rope[$i + 1]@(($j + 1) * 0.1 m)",
     grid: {counts: [3, 9]}}
END
expect 64 "which scene?" matrix
expect 64 "it is N" matrix bridge.yaml --cluster 0
expect 64 "there is no cluster 3; the scene has 2" matrix bridge.yaml --cluster 3
expect 64 "did you mean --cluster?" matrix bridge.yaml --cluser 3
expect 2 "No such file or directory" matrix missing.yaml
expect 3 "cannot be written" matrix bridge.yaml --png missing/matrix.png
expect 0 "sparse" matrix bridge.yaml --png matrix.png
[ "$(head -c 4 matrix.png | tail -c 3)" = PNG ] || fail "matrix --png wrote no PNG"
expect 0 "band" matrix bridge.yaml --cluster 2
! grep -q sparse out || fail "matrix --cluster 2: shows another"
expect_json 0 matrix bridge.yaml --json
grep -q '"constraint_rows": 27' out || fail "matrix --json: 27 rows expected"
expect_json 0 matrix "$rope" --json --set world.gravity=[0,0,0]

# A signal ends the run after the step, with what was recorded.
for signal in INT:130 TERM:143 HUP:129; do
    "$cordage" run "$rope" --until "1e5 s" --out "${signal%:*}" >out 2>err &
    until [ "$(wc -l 2>/dev/null <"${signal%:*}/middle.csv" || echo 0)" -gt 1 ] || ! kill -0 $!; do
        sleep 0.1
    done
    kill -"${signal%:*}" $!
    wait $!
    got=$?
    [ $got -eq "${signal#*:}" ] || fail "after SIG${signal%:*}: exit code $got"
    # Whole rows only: each of 4 columns.
    [ "$(tail -n 1 "${signal%:*}/middle.csv" | tr -cd , | wc -c)" -eq 3 ] ||
        fail "after SIG${signal%:*}: the last row is cut"
done

# Nobody reads what is printed: the results are whole all the same.
"$cordage" run "$rope" --until "100 ms" --out piped 2>err | :
[ "$(tail -n 1 piped/middle.csv | tr -cd , | wc -c)" -eq 3 ] || fail "a closed pipe cut the results"
if [ -w /dev/full ]; then
    "$cordage" gallery list >/dev/full 2>err
    got=$?
    : >out
    [ $got -eq 3 ] || fail "a full disk: exit code $got"
fi

# The README says once which commands take --json, and it is so: `help` lists the option of all others.
readme=$2/README.md
[ "$(grep -c "takes* \`--json\`" "$readme")" = 1 ] || fail "README.md does not say once which commands take --json"
except=$(sed -n '/^Every command takes `--json`/,/\./p' "$readme" | sed 's/\..*//' | grep -o '`[a-z ]*`' | tr -d '`')
for name in $("$cordage" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    takes=$("$cordage" help "$name" | grep -c -- '^  --json')
    [ "$takes" = 1 ] || echo "$except" | grep -qx "$name" || fail "$name takes no --json, and README.md does not say so"
    [ "$takes" = 0 ] || ! echo "$except" | grep -qx "$name" || fail "$name takes --json, and README.md says that it does not"
done

# Every scene that the groups of the gallery's page name exists.
for name in $(sed -n 's/#.*//; s/^hero: //; /^[a-z]/p' "$2/gallery/groups.txt"); do
    case $name in
    */) [ -d "$2/gallery/$name" ] || fail "groups.txt: there is no folder $name" ;;
    *) [ -n "$(find "$2/gallery" -name "$name.yaml")" ] || fail "groups.txt: there is no scene $name" ;;
    esac
done

exit $failed
