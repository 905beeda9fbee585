#!/bin/sh
# usage: model_names.sh ROOT
#
# A strand model, a kind of block or a kind of constraint is known by name to the files that make it, and to no others:
# all else asks its table of operations. Prints each line that breaks a rule of the table below, and fails if there is one.
set -eu
cd "$1"

# The names, from the lists that register them; of constraints also those that scenes do not know.
list() { sed -n "/define $1(X)/,/[^\\\\]\$/p" "$2" | grep -o 'X([a-z_]*)' | sed 's/X(\(.*\))/\1/' | paste -sd'|'; }
strands="$(list STRAND_LIST src/strand/registry.h)|cable"
constraints="$(list CONSTRAINT_LIST src/constraint/constraint.h)|[a-z]*_within|revolute|prismatic"
quoted=$(echo "$strands" | sed 's/[a-z]*/"&"/g')

# rule | folders | what they must not contain | files that may
rules() {
    cat <<END
the table of a strand model    |math curve block body constraint contact solve world scene record ../cli|cord__($strands)[^a-z_0-9]|
the header of a strand model   |math curve block body constraint contact solve world scene record ../cli|#include "strand/[a-z_]*/|scene/guides.c
the table of a body            |math curve block strand constraint contact solve world scene record ../cli|cord__body[^a-z_0-9]|world/bodies.c
the table of a slider          |math curve body strand constraint contact solve world scene record ../cli|cord__slider[^a-z_0-9]|world/points.c
the table of a constraint      |math curve block body strand contact solve world scene record ../cli|cord__($constraints)[^a-z_0-9]|world/points.c
a model chosen by its name     |math curve block body constraint contact solve world scene record ../cli|CORD_MODEL_[A-Z]|world/strands.c scene/table_strands.c curve/fit_curve.c ../cli/fit.c
a comparison with a model      |math curve block body constraint contact solve world scene record ../cli|strcmp\\([^()]*, ($quoted)\\)|
a comparison with a constraint |math curve block body contact solve world scene record ../cli|strcmp\\([^()]*(kind|name), CORD_[A-Z]|scene/table_constraints.c record/picture.c
END
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd src
rules | while IFS='|' read -r rule rest; do
    # The pattern has bars of its own: folders come before the first, files after the last.
    folders=${rest%%|*}
    files=${rest##*|}
    pattern=${rest#*|}
    pattern=${pattern%|*}
    for folder in $folders; do [ ! -d "$folder" ] || find "$folder" -name '*.[ch]'; done |
        LC_ALL=C sort >"$work/all"
    for file in $files; do echo "$file"; done >"$work/may"
    grep -vxF -f "$work/may" "$work/all" | xargs -r awk -v rule="$rule" -v pattern="$pattern" '
        FNR == 1 { comment = 0 }
        {
            code = ""
            for (line = $0; line != "";)
                if (comment) {
                    end = index(line, "*/")
                    line = end ? substr(line, end + 2) : ""
                    comment = !end
                } else {
                    begin = index(line, "/*")
                    code = code (begin ? substr(line, 1, begin - 1) : line)
                    line = begin ? substr(line, begin + 2) : ""
                    comment = begin > 0
                }
            if ((code " ") ~ pattern) {
                sub(/ *$/, "", rule)
                printf "src/%s:%d: %s: %s\n", FILENAME, FNR, rule, $0
            }
        }' | sed 's|^src/\.\./||'
done >"$work/breaches"
cat "$work/breaches"
[ ! -s "$work/breaches" ]
