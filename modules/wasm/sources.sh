#!/bin/sh
# usage: sources.sh FOLDER
# Puts the sources of the libraries that the engine needs (AMD, libccd, libyaml) into FOLDER, from Debian's source
# packages, by apt with folders of its own: neither root nor changes of the system are needed. Does nothing when they are
# there. Fails where there is no apt or no network.
set -eu
mkdir -p "$1"
cd "$1"
[ ! -f complete-1 ] || exit 0

release=$(. /etc/os-release && echo "$VERSION_CODENAME")
apt=$PWD/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
echo "deb-src http://deb.debian.org/debian $release main" >"$apt/sources.list"
set -- -qq -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User= -o Acquire::Retries=3
apt-get "$@" update
for package in suitesparse libccd libyaml; do
    rm -rf "$package"
    mkdir "$package"
    (cd "$apt/cache" && apt-get "$@" source --download-only "$package" >/dev/null)
    archive=$(ls "$apt/cache/${package}"_*.orig.tar.* | grep -v '\.asc$' | head -n 1)
    case $package in
    suitesparse) tar -xf "$archive" -C "$package" --strip-components 1 --wildcards '*/AMD/*' '*/SuiteSparse_config/*' ;;
    *) tar -xf "$archive" -C "$package" --strip-components 1 ;;
    esac
done
rm -rf "$apt"
touch complete-1
