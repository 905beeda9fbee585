# Completion of cordage for bash. Options are read from the help of the command.

_cordage_options() {
    "$1" help "$2" 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p'
}

_cordage_commands() {
    "$1" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

_cordage() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local words=
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "$(_cordage_commands "$program") --help --version" -- "$word"))
        return
    fi
    case $previous in
    --to) words="vtk usd obj csv npz" ;;
    --format) words="hdf5 csv html hdf5,csv" ;;
    --kind) words="clothoid helix segment" ;;
    --out | --report | --scene | --csv | --png)
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    --until | --dt | --set | --every | --from | --tolerance | --corners | --scale | --margin | --strand | --island | --probe | --port) return ;;
    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return
    fi
    case $word in
    -*)
        COMPREPLY=($(compgen -W "$(_cordage_options "$program" "$command") --help" -- "$word"))
        return
        ;;
    esac
    case $command in
    run | check | inverse | matrix | graph | view) COMPREPLY=($(compgen -f -X '!*.@(yaml|yml|json)' -- "$word") $(compgen -d -- "$word")) ;;
    info | export | plot) COMPREPLY=($(compgen -f -X '!*.h5' -- "$word") $(compgen -d -- "$word")) ;;
    fit) COMPREPLY=($(compgen -f -X '!*.@(svg|csv|obj|txt)' -- "$word") $(compgen -d -- "$word")) ;;
    help) COMPREPLY=($(compgen -W "$(_cordage_commands "$program")" -- "$word")) ;;
    gallery)
        if [ "$COMP_CWORD" = 2 ]; then
            words="list run check copy page"
        else
            words=$("$program" gallery list 2>/dev/null | sed 's/ .*//')
        fi
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        ;;
    esac
}

complete -o filenames -F _cordage cordage
