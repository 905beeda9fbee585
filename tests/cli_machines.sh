#!/bin/sh
# usage: cli_machines.sh CORDAGE ROOT
#
# Joints and controllers on the command line: check counts them, runs resume bit for bit with what
# controllers remember, and what joints carry is plotted.
. "$(dirname "$0")/support/command.sh"
arm=$2/gallery/machines/servo-arm.yaml

"$cordage" check "$arm" >log
says log "1 joints, 1 controllers"
"$cordage" check "$arm" --set joints.hinge.motor="{rate: 400 rad/s}" --set controllers=[] \
    --set probes=[] --set expect=[] >log 2>&1 || true
says log "the motor turns by 0.8 rad in one step"

# The step of the target comes after the break, when the sum of errors matters.
"$cordage" run "$arm" --until "2 s" --format hdf5,csv --out whole --quiet
"$cordage" run "$arm" --until "0.7 s" --format hdf5 --out parts --quiet
"$cordage" run "$arm" --until "2 s" --format hdf5 --out parts --resume --quiet
"$cordage" export whole --to csv --out whole-tables --quiet
"$cordage" export parts --to csv --out parts-tables --quiet
for probe in angle torque bearing; do
    cmp "whole-tables/$probe.csv" "parts-tables/$probe.csv" || fail "$probe differs after resuming"
done
grep -q '\[N m\]' whole/torque.csv || fail "the output has no unit"

"$cordage" plot whole --probe bearing --out bearing.svg >log
says log bearing.svg
says bearing.svg 'xmlns="http://www.w3.org/2000/svg"'
says bearing.svg 'force [N]'
[ "$(grep -c '<polyline style' bearing.svg)" -ge 3 ] || fail "not three lines"
"$cordage" plot whole --probe bearing.z --quiet
[ -s bearing.z.svg ] || fail "no file by default"
for wrong in "whole" "whole --probe bering" "whole --probe bearing.w" ""; do
    code=0
    "$cordage" plot $wrong >log 2>&1 || code=$?
    [ $code -eq 64 ] || fail "plot $wrong: exit code $code"
done
code=0
"$cordage" plot whole --probe bering >log 2>&1 || code=$?
says log "did you mean bearing?"
code=0
"$cordage" plot nothing --probe x >log 2>&1 || code=$?
[ $code -eq 3 ] || fail "plot of nothing: exit code $code"
echo "cli_machines: good"
