#!/bin/sh
# usage: cli_cables.sh CORDAGE ROOT
#
# Cables on the command line: graphs, recordings with wheels, resuming, exports, and what wrong routes say.
. "$(dirname "$0")/support/command.sh"
gallery=$2/gallery/cables

"$cordage" graph "$gallery/atwood.yaml" --at 0.1 >log
says log "cord: 4 nodes"
says log "1     E1    circle    world         1"
says log "0     L0    point     light         0"
grep -q 'arc  *0.628319' log || { cat log; fail "the graph has no arc of half a turn"; }
"$cordage" graph "$gallery/shaft.yaml" >log
says log "E2    cylinder"
says log helix
"$cordage" graph "$gallery/two-chain-drives.yaml" >log
says log "first: 4 nodes, closed"
grep -q '  3  .*straight .*100' log || { cat log; fail "the graph of a closed cable has no last segment"; }
"$cordage" graph "$gallery/table-edge.yaml" --json >log
says log '"type": "L3"'
"$cordage" graph "$gallery/flexible-shaft.yaml" >log
grep -q 'twist 0 rad, torque 0 N m' log || { cat log; fail "the graph has no twist"; }
sed 's/route: .*over sheave.*/route: [light, under sheave, heavy]/' "$gallery/atwood.yaml" >under.yaml
"$cordage" graph under.yaml >log
says log "cord has no contact with the pulley of waypoint 1"
refused 64 "which scene?" graph
refused 64 "--at" graph "$gallery/atwood.yaml" --at soon
refused 2 "has no cables" graph "$2/gallery/machines/servo-arm.yaml"

"$cordage" check "$gallery/atwood.yaml" >log
says log "1 strands, 2 bodies, 1 pulleys, "

# Resuming gives the same bits; wheels are recorded and exported as bodies are.
"$cordage" run "$gallery/atwood.yaml" --format hdf5,csv --out whole --quiet
"$cordage" run "$gallery/atwood.yaml" --until "0.3 s" --format hdf5 --out parts --quiet
"$cordage" run "$gallery/atwood.yaml" --until "0.6 s" --format hdf5 --out parts --resume --quiet
for which in whole parts; do "$cordage" export $which --to csv --out $which-tables --quiet; done
for table in fall spin pull bodies frames; do
    cmp whole-tables/$table.csv parts-tables/$table.csv || fail "$table differs after resuming"
done
says whole/bodies.csv sheave
"$cordage" info whole >log
says log "strand cord: cable, open"
says log "body sheave: mesh"
for format in vtk obj usd npz; do "$cordage" export whole --to $format --out $format --quiet; done
says usd sheave

wrong() {
    refused 2 "$2" check "$gallery/atwood.yaml" --set probes=[] --set expect=[] \
        --set "cables.cord.route=$1"
}
wrong "[light, over shave, heavy]" 'nothing is called "shave" (did you mean "sheave"?)'
wrong "[light, sheave, heavy]" 'say how the cable passes it, as in "over sheave"'
wrong "[light, anchor heavy, heavy]" "waypoint 1: an anchor or a drum is at an end"
wrong "[light, left of sheave, heavy]" "its axis is level"
wrong "[[0, 0, 0.1], over sheave, heavy]" "begin inside its pulley"
refused 2 'pulley has no key "radus" (did you mean "radius"?)' check "$gallery/atwood.yaml" \
    --set pulleys.sheave.radus=1
refused 2 "inertia" check "$gallery/atwood.yaml" --set pulleys.sheave.inertia="-1 kg m^2"
refused 2 "expected a length" check "$gallery/atwood.yaml" --set pulleys.sheave.radius="1 kg"
