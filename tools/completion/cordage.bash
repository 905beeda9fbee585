# Completion of cordage for bash: `cordage complete` knows the candidates.

_cordage() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} line suffix
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        @folders) COMPREPLY+=($(compgen -d -- "$word")) ;;
        @files) COMPREPLY+=($(compgen -f -- "$word")) ;;
        @files*)
            COMPREPLY+=($(compgen -d -- "$word"))
            for suffix in ${line#@files }; do
                COMPREPLY+=($(compgen -f -X "!*.$suffix" -- "$word"))
            done
            ;;
        *) COMPREPLY+=($(compgen -W "$line" -- "$word")) ;;
        esac
    done < <("$program" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # A value follows.
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}

complete -o filenames -F _cordage cordage
