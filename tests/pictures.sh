#!/bin/sh
# usage: pictures.sh CORDAGE
#
# What the command says about pictures, done: files where they are asked for, one clear line and the
# right exit code otherwise; films with something in the place of ffmpeg that counts what it is given;
# the gallery's page.
. "$(dirname "$0")/support/command.sh"

# expect CODE TEXT COMMAND...: it ends with the code, and with one line of errors that has the text
expect() {
    code=$1 text=$2
    shift 2
    got=0
    "$@" >out 2>err || got=$?
    [ "$got" = "$code" ] || { cat out err; fail "exit code $got, not $code: $*"; }
    [ -n "$text" ] || return 0
    [ "$(wc -l <err)" = 1 ] || { cat err; fail "not one line: $*"; }
    grep -qF -- "$text" err || { cat err; fail "does not say '$text': $*"; }
}

is_png() {
    [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] || fail "$1 is not a PNG file"
}

mkdir gallery
cat >gallery/rope.yaml <<'EOF'
cordage: 1
# picture: --colour-by speed --at 0.05
title: A rope & a <wall>
about: It swings.
paper: some-paper-1999
figure: "3"
run: {until: 0.1 s, dt: 5 ms}
strands:
  - name: rope
    shape: {line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 11}}
    material: rubber
    section: {rectangle: {width: 4 cm, height: 1 cm}}
clamps: [{name: wall, at: rope@start}]
probes: [{name: tip, of: rope@end, measure: position}]
expect: [{probe: tip, component: z, below: 0, because: "it falls"}]
EOF
run() {
    code=$1 text=$2
    shift 2
    expect "$code" "$text" "$cordage" run gallery/rope.yaml --quiet --out results "$@"
}

run 0 "" --png end.png --size 64x48
is_png end.png
run 0 "" --png at.png --at 20ms --at 0.08 --size 64x48
is_png at-1.png
is_png at-2.png
run 0 "" --png all.png --at 20ms --at 0.08 --together --size 64x48 --theme dark --view top --constraints
is_png all.png
run 0 "" --png view.png --view 0,-3,1,0.5,0,0 --size 64x48 --theme transparent
is_png view.png
run 3 "cannot write: nowhere/end.png" --png nowhere/end.png --size 64x48
run 64 "--png, --mp4 or --gif" --at 0.05
for wrong in "--png a.jpg" "--size 12" "--colour-by taste" "--theme pink" "--view 1,2,3" "--at -1" "--aperture 2"; do
    # shellcheck disable=SC2086 # two words
    run 64 "cannot be" --png a.png $wrong
done

# 0.1 s at 50 pictures a second: 0, 0.02 ... 0.1 are six.
mkdir bin empty
cat >bin/ffmpeg <<'EOF'
#!/bin/sh
for file; do :; done
wc -c >"$file"
EOF
chmod +x bin/ffmpeg
PATH=$PWD/bin:$PATH
run 0 "" --mp4 film.mp4 --gif film.gif --fps 50 --size 63x47
[ "$(cat film.gif)" -eq $((6 * 4 * 63 * 47)) ] || fail "the moving picture has not six pictures"
[ "$(cat film.mp4)" -eq $((6 * 64 * 48 * 3 / 2)) ] || fail "the film has not six pictures in yuv420p"
# The sky above is sRGB 0.80, 0.85, 0.91: in BT.709 Y = 201, Cb = 136, Cr = 122, to one step.
printf '#!/bin/sh\nfor file; do :; done\ncat >"$file"\n' >bin/ffmpeg
run 0 "" --mp4 film.mp4 --size 64x48
byte() { od -An -tu1 -j "$1" -N 1 film.mp4 | tr -d ' '; }
near() { [ $(($1 - $2)) -ge -1 ] && [ $(($1 - $2)) -le 1 ] || fail "the sky of the film has $3 $1 instead of $2"; }
near "$(byte 0)" 201 Y
near "$(byte $((64 * 48)))" 136 Cb
near "$(byte $((64 * 48 * 5 / 4)))" 122 Cr
printf '#!/bin/sh\nexit 1\n' >bin/ffmpeg
run 3 "ffmpeg could not write film.mp4" --mp4 film.mp4 --size 64x48
expect 64 "ffmpeg, which is not in the PATH" env PATH="$PWD/empty" "$cordage" run \
    gallery/rope.yaml --quiet --out results --mp4 film.mp4

CORDAGE_HOME=$work expect 0 "" "$cordage" gallery page --out site --size 64x48
is_png site/rope.png
is_png site/rope-dark.png
cmp -s site/rope.png site/rope-dark.png && fail "the picture by night is that by day"
grep -q 'srcset="rope-dark.png"' site/index.html || fail "the picture by night is not shown"
grep -q 'href="rope.html"' site/index.html || fail "the index does not lead to the scene"
grep -q 'Some paper 1999, figure 3' site/index.html || fail "the card does not name the paper"
grep -q 'A rope &amp; a &lt;wall&gt;' site/rope.html || fail "the title is not there, or not escaped"
grep -q 'it falls' site/rope.html || fail "the checked result is not there"
grep -q 'material: rubber' site/rope.html || fail "the source is not there"
! grep -q 'http' site/index.html site/rope.html || fail "the site reaches outside"
