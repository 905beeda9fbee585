#!/bin/sh
# usage: make_recordings.sh CORDAGE
# Records the corpus of the recording fuzzer, fuzz/recordings, again: after the format of recordings has changed.
set -eu
cordage=$(realpath "$1")
cd "$(dirname "$0")/recordings"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# record NAME SCENE OPTION...
record() {
    name=$1 scene=$2
    shift 2
    "$cordage" run "$scene" --out "$work/$name" --format hdf5 --quiet "$@" || true
    cp "$work/$name/recording.h5" "$name.h5"
}

record whole scene.yaml
record resumed scene.yaml --until "2 ms"
"$cordage" run scene.yaml --out "$work/resumed" --resume --until "4 ms" --quiet
cp "$work/resumed/recording.h5" resumed.h5
record failed contradiction.yaml

# A run that was killed while it wrote.
"$cordage" run scene.yaml --out "$work/killed" --format hdf5 --quiet --until "1e6 s" &
until [ -e "$work/killed/recording.h5" ]; do sleep 0.02; done
kill -9 $!
cp "$work/killed/recording.h5" killed.h5
