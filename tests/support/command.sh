# Sourced by tests of the command, which is $1: in a folder of their own, which goes at the end, up to the first
# thing that is wrong.
set -eu
cordage=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$(basename "$0" .sh): $1"
    exit 1
}

# says FILE WORDS
says() {
    grep -qF -- "$2" "$1" || { cat "$1"; fail "$1 does not say '$2'"; }
}

# refused CODE WORDS ARGUMENT...: the command ends with the code, and says the words
refused() {
    wanted=$1 words=$2
    shift 2
    code=0
    "$cordage" "$@" >said 2>&1 || code=$?
    [ "$code" = "$wanted" ] || { cat said; fail "cordage $*: exit code $code, not $wanted"; }
    says said "$words"
}
