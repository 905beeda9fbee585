#!/bin/sh
# usage: docs_tutorial.sh ROOT
#
# Every line of C in docs/tutorial.md is a line of an example, in its order.
set -eu
cd "$1"
awk '
FNR == 1 { file++ }
FILENAME != "docs/tutorial.md" { text[file] = text[file] $0 "\n"; next }
/^```c$/ { block = ""; inside = 1; next }
/^```$/ && inside {
    inside = found = 0
    for (i = 1; i < file; i++) if (index(text[i], block)) found = 1
    if (!found) { printf "docs/tutorial.md: no example has\n%s", block; bad = 1 }
    next
}
inside { block = block $0 "\n" }
END { exit bad }' examples/*.h examples/*.c docs/tutorial.md
echo "docs_tutorial: good"
