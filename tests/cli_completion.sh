#!/bin/sh
# usage: cli_completion.sh ROOT CORDAGE
#
# Completion completes commands, options and values; the man page names every command and
# every option of run, info, export, plot, fit, inverse, graph, matrix and view.
set -eu
root=$1 cordage=$2

fail() {
    echo "cli_completion: $1"
    exit 1
}

page=$(tr -d '\\' <"$root/docs/man/cordage.1") # its hyphens are written \-
for command in $("$cordage" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    echo "$page" | grep -q "^\.B cordage $command" || fail "the man page has no $command"
    case $command in run | info | export | plot | fit | inverse | graph | matrix | view) ;; *) continue ;; esac
    for option in $("$cordage" help "$command" | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
        echo "$page" | grep -qF -- "--$option" || fail "the man page has no --$option"
    done
done
if command -v man >/dev/null; then
    warnings=$(LC_ALL=C.UTF-8 MANWIDTH=90 man --warnings -E UTF-8 -l "$root/docs/man/cordage.1" 2>&1 >/dev/null)
    [ -z "$warnings" ] || fail "the man page: $warnings"
fi

command -v bash >/dev/null || exit 0
# completes EXPECTED WORD...: the last word is the one that is being typed
completes() {
    expected=$1
    shift
    got=$(bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cordage
        echo "${COMPREPLY[*]}"' "$root/tools/completion/cordage.bash" "$cordage" "$@")
    case " $got " in *" $expected "*) ;; *) fail "'$*' completes to '$got', without $expected" ;; esac
}
completes export ex
completes --resume run x.yaml --res
completes vtk export x.h5 --to v
completes --every export --e
completes hdf5,csv run x.yaml --format hdf5,c
completes --probe plot x.h5 --p
completes check gallery c
completes clothoid fit x.svg --kind c
completes --tolerance fit x.svg --to
completes run help ru
completes --stiffen inverse x.yaml --st
completes --cluster matrix x.yaml --c
completes dark run x.yaml --theme d
completes side run x.yaml --view s
completes tension run x.yaml --colour-by t
completes csv run x.yaml --format c
completes common-rod bench --only com
completes statics validate st
completes hanging-rope gallery run hang
completes let.speed= run "$root/gallery/cables/line-shaft.yaml" --set let.s
completes rope inverse "$root/gallery/der/hanging-rope.yaml" --rotate --strand r
if "$cordage" help plot >/dev/null 2>&1; then
    recorded=$(mktemp -d)
    "$cordage" run "$root/gallery/der/hanging-rope.yaml" --until 0.05s --format hdf5 --quiet --out "$recorded/out"
    probe=$("$cordage" info "$recorded/out/recording.h5" --json | sed -n '/"probes"/,$s/.*"name": "\([^"]*\)".*/\1/p' | head -n 1)
    completes "$probe" plot "$recorded/out/recording.h5" --probe ""
    for command in view info; do (cd "$recorded/out" && completes recording.h5 $command rec); done
    rm -r "$recorded"
fi
(cd "$root/gallery/der" && completes hanging-rope.yaml run hanging-r)
# The other shells read the same answers; their scripts are tried where the shells are installed.
for shell in zsh fish; do
    command -v $shell >/dev/null || continue
    $shell -n "$root/tools/completion/$([ $shell = zsh ] && echo _cordage || echo cordage.fish)" ||
        fail "completion for $shell has a syntax error"
done
echo "cli_completion: good"
