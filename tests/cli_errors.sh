#!/bin/sh
# usage: cli_errors.sh CORDAGE ROOT
#
# Messages of the commands: all errors at once, warnings before a run, refusals of the engine in every output, overrides of
# names that do not exist, names of the gallery that are not unique, files outside the folder of the scene, and memory that
# runs out.
. "$(dirname "$0")/support/command.sh"

strand='model: der, material: rubber, section: {circle: {radius: 1 mm}}'
line='shape: {line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 5}}'
corner='shape: {polyline: {points: [[0, 0, 0], [1, 0, 0], [1, 0, 1]]}}'

# All errors in one round, and the same ones by every command that reads a scene.
printf 'cordage: 1\nlet: {n: 5}\nrun: {until: 1 s, dt: 1 kg}\nstrands:\n  - {name: a, colr: red, %s, %s}\n' \
    "$strand" "$line" >wrong.yaml
printf '  - {name: b, model: dre, material: rubber, section: {circle: {radius: -1 mm}}, %s}\nclamps: [{at: c@end}]\n' \
    "$line" >>wrong.yaml
for command in check run matrix graph inverse; do
    refused 2 "dt: expected a time" $command wrong.yaml
    says said 'strand has no key "colr"'
    says said 'model: "dre" is not one of'
    says said "radius must be positive, got -1 mm"
    says said 'nothing is called "c"'
done

# Warnings, once and grouped, before a run; in its JSON; not with --quiet.
printf 'cordage: 1\nlet: {n: 5}\nrun: {until: 2 ms, dt: 1 ms}\nstrands:\n  - {name: hair, %s, %s, repeat: {count: $n, %s}}\n' \
    "$strand" "$corner" "offset: [0, 1, 0]" >hair.yaml
"$cordage" run hair.yaml --format csv --out hair >log 2>&1
[ "$(grep -c '^warning: ' log)" = 1 ] || { cat log; fail "there is not one warning"; }
says log "hair[0..4]: the initial shape has a corner of 90 deg"
"$cordage" run hair.yaml --format csv --out hair --json 2>/dev/null >log
says log "hair[0..4]: the initial shape has a corner of 90 deg"
"$cordage" run hair.yaml --format csv --out hair --quiet >log 2>&1
[ ! -s log ] || { cat log; fail "--quiet prints warnings"; }

# A name that does not exist is an error in every command.
for command in check run matrix graph inverse; do
    refused 2 'the scene has no variable "m" (did you mean "n"?)' $command hair.yaml --set let.m=3
done
refused 2 'nothing in the list is called "rpoe"' gallery run hanging-rope --set strands.rpoe.drag=1

# The engine refuses with its own words, also before the first step.
printf 'cordage: 1\nworld: {integrator: symplectic}\nstrands:\n  - {name: a, elements: 2, %s, %s}\n' \
    "$(echo "$strand" | sed s/der/helix/)" "$line" >symplectic.yaml
for format in csv hdf5 html; do
    refused 2 "use implicit, midpoint or der strands" run symplectic.yaml --format $format --out no
done
refused 2 "use implicit, midpoint or der strands" check symplectic.yaml
"$cordage" check symplectic.yaml --json >log && fail "check does not find a refusal"
says log "use implicit, midpoint or der strands"

# Names of the gallery.
refused 64 "can be any of: cables/necklace, micado/necklace" gallery run necklace
"$cordage" gallery list >log
says log "cables/necklace "
says log "micado/necklace "
"$cordage" gallery run cables/necklace --until "2 ms" --format csv --quiet
[ -d cables-necklace-results ] || fail "the results have not the name of the scene"

# Files outside the folder of the scene.
mkdir inner
printf 'strands:\n  - {name: a, %s, %s}\n' "$strand" "$line" >part.yaml
printf 'cordage: 1\ninclude: ../part.yaml\n' >inner/scene.yaml
refused 2 "is outside the folder of the scene, and is not read; --allow-outside" check inner/scene.yaml
"$cordage" check inner/scene.yaml --allow-outside >log
"$cordage" run inner/scene.yaml --allow-outside --until "1 ms" --format csv --out inner/out --quiet
printf 'cordage: 1\ninclude: /etc/passwd\n' >passwords.yaml
refused 2 "it is not a scene" check passwords.yaml --allow-outside
grep -q root: said && fail "a file that is not a scene is shown"

# Memory runs out at several stages: a reason, and no result. (The sanitizers need more address space than a limit leaves.)
awk -v strand="$strand" 'BEGIN {
    print "cordage: 1\nstrands:"
    for (i = 0; i < 3000; i++)
        printf "  - {name: s%d, %s, shape: {line: {from: [0, %d, 0], to: [1, %d, 0], vertices: 5}}}\n", i, strand, i, i
}' >large.yaml
export OMP_NUM_THREADS=1
failures=0
for limit in 50000 70000 90000 110000 130000; do
    for command in check "check --json" matrix graph; do
        code=0
        # shellcheck disable=SC2086 # two words
        (ulimit -v $limit && "$cordage" $command large.yaml) >out 2>log || code=$?
        grep -qE '"good": true|no errors|[^0-9]0 unknowns' out && [ $code != 0 ] && fail "$command reports success"
        [ $code = 3 ] || continue
        failures=$((failures + 1))
        cat out log | grep -q "out of memory" || { cat out log; fail "$command gives no reason"; }
    done
done
echo "cli_errors: good ($failures failures of memory)"

# The variant of the code (CORDAGE_CPU).
"$cordage" info --cpu >log
says log "has: "
first=$(sed -n 's/^has: \([a-z0-9]*\).*/\1/p' log)
CORDAGE_CPU=$first "$cordage" info --cpu >log
says log "runs: $first"
refused 64 "takes no recording" info --cpu whole
CORDAGE_CPU=mmx refused 64 "there is no such variant of the code; this processor has $first" info --cpu
