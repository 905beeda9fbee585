# Sourced by tests of the command, which is $1: in a folder of their own, which goes at the end; all that
# is wrong is told, and leaves failed=1.
set -u
cordage=$1
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' out err
    failed=1
}

# expect CODE TEXT ARGUMENT...: this exit code, and this text somewhere in what is printed.
expect() {
    code=$1 text=$2
    shift 2
    "$cordage" "$@" >out 2>err
    got=$?
    [ $got -eq "$code" ] || fail "cordage $*: exit code $got, not $code"
    cat out err | grep -qF -e "$text" || fail "cordage $*: nothing says: $text"
}
