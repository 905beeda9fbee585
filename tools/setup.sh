#!/bin/sh
# usage: setup.sh [tests]
# Installs the Debian packages that building needs (with `tests`: and testing). Does nothing, quickly,
# when they are all there.
set -eu

packages="build-essential cmake ninja-build pkg-config
    libsuitesparse-dev libyaml-dev libpng-dev zlib1g-dev libhdf5-dev libode-dev
    libcmocka-dev clang-format cppcheck"
# The viewer is bundled with node; any recent one will do.
command -v node >/dev/null && command -v npm >/dev/null || packages="$packages nodejs npm"
# The page that a run leaves is tested in a browser.
[ "${1-}" != tests ] || packages="$packages chromium"

if ! command -v dpkg-query >/dev/null; then
    echo "setup: not a Debian system; what is needed is, by Debian's names:" $packages
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
    echo "setup: these packages are missing; install them first:$missing" >&2
    exit 1
fi

echo "setup: installing$missing"
$sudo apt-get update -q
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
