#!/bin/sh
# usage: docs_pictures.sh CORDAGE [NAME...]
# Draws the pictures of docs/pictures that are of scenes of the gallery again, or those named, with the options in the
# scenes' lines "# picture:" and in the sizes they have.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cordage=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The width and height in a PNG file's header.
size_of() {
    od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'
}

draw() {
    picture=$root/docs/pictures/$1.png
    scene=$(find "$root/gallery" -name "$1.yaml")
    [ -n "$scene" ] || return 0
    options=$(sed -n 's/^# picture: //p' "$scene")
    # shellcheck disable=SC2086 # several words
    "$cordage" run "$scene" --quiet --format csv --out "$work/out" --png "$work/picture.png" --size "$(size_of "$picture")" $options
    [ -f "$work/picture.png" ] || mv "$work/picture-1.png" "$work/picture.png"
    mv "$work/picture.png" "$picture"
    rm -rf "$work/out" "$work"/picture*
    echo "$1"
}

if [ $# -eq 0 ]; then
    for picture in "$root"/docs/pictures/*.png; do
        draw "$(basename "$picture" .png)"
    done
else
    for name; do draw "$name"; done
fi
