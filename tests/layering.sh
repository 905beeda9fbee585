#!/bin/sh
# usage: layering.sh ROOT
#
# A folder of src/ may include itself, <cordage/...> and the folders before it in the list below;
# a public header may include only public headers and the system's; a module, modules/NAME/, sees only
# itself and those. The library never ends the process: no exit, abort or assert is called in src/ or
# modules/. Prints each breach and fails if there is one.
set -eu
cd "$1"

order="math curve contact block strand body constraint solve force world cable scene record live"

modules=
[ ! -d modules ] || modules=modules
find src include $modules -name '*.[ch]' | LC_ALL=C sort >"${TMPDIR:-/tmp}/layering.$$"
trap 'rm -f "${TMPDIR:-/tmp}/layering.$$"' EXIT

xargs awk -v order="$order" '
BEGIN {
    count = split(order, folders, " ")
    for (i = 1; i <= count; i++) rank[folders[i]] = i
}

function breach(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    failed = 1
}

# The line without comments, and without what is inside string and character literals.
function code_of(line,    out, i, c, two, quote) {
    out = ""
    quote = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        two = substr(line, i, 2)
        if (in_comment) {
            if (two == "*/") { in_comment = 0; i++ }
        } else if (quote != "") {
            if (c == "\\") i++
            else if (c == quote) { quote = ""; out = out c }
        } else if (two == "/*") { in_comment = 1; i++; out = out " " }
        else if (two == "//") break
        else { if (c == "\"" || c == "\047") quote = c; out = out c }
    }
    return out
}

FNR == 1 {
    in_comment = 0
    split(FILENAME, path, "/")
    public = path[1] == "include"
    module = path[1] == "modules"
    folder = public ? "" : path[2]
    if (!public && !module && !(folder in rank)) breach("folder src/" folder " is not in the order of layers")
}

{
    commented = in_comment
    code = code_of($0)
    if (!commented && $0 ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
        target = $0
        sub(/^[^"]*"/, "", target)
        sub(/".*$/, "", target)
        split(target, part, "/")
        if (public) breach("a public header includes \"" target "\"")
        else if (module && !(part[1] == "modules" && part[2] == folder)) breach("a module includes \"" target "\"")
        else if (module) ;
        else if (part[1] == "cordage") ;
        else if (!(part[1] in rank)) breach("\"" target "\" is not of the form \"folder/file.h\", with a folder of src/")
        else if (rank[part[1]] > rank[folder]) breach(folder " includes \"" target "\", which is below it")
    }
    if (!public && (" " code) ~ /[^A-Za-z0-9_](exit|_Exit|_exit|quick_exit|abort|assert)[ \t]*\(/)
        breach("the library must not end the process: " $0)
}

END { exit failed }
' <"${TMPDIR:-/tmp}/layering.$$"
