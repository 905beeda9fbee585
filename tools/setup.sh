#!/bin/sh
# usage: setup.sh [tests | reference]
# Installs the Debian packages required to build (with `tests`: and to test; with `reference`: and to make the HTML reference). Does nothing when all of them are
# installed.
set -eu

packages="build-essential cmake ninja-build pkg-config
    libsuitesparse-dev libccd-dev libyaml-dev libpng-dev zlib1g-dev libhdf5-dev libode-dev
    libwebsockets-dev libcmocka-dev clang-format cppcheck"
# The viewer is bundled with node, of any recent version.
command -v node >/dev/null && command -v npm >/dev/null || packages="$packages nodejs npm"
# The page that a run writes is tested in a browser.
[ "${1-}" != tests ] || packages="$packages chromium"
[ "${1-}" != reference ] || packages="$packages doxygen"
# The engine of live pages is built by another compiler, for wasm32; without it pages play, and cannot be taken over.
packages="$packages clang-14 lld wasi-libc libclang-rt-14-dev-wasm32"

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is not a Debian system; install the packages that Debian calls" $packages
    exit 0
fi

missing=""
for package in $packages; do
    case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true) in
    "install ok installed" | "hold ok installed") ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    sudo=""
elif sudo -n true 2>/dev/null; then
    sudo="sudo -n"
else
    echo "setup: packages are missing and sudo needs a password; install them first:$missing" >&2
    exit 1
fi

echo "setup: installing$missing"
$sudo apt-get update -q
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
