#!/bin/sh
# usage: run.sh NODE CORDAGE
# The viewer's tests. Leaves with 77 (skipped, for CTest) when something they need is missing.
set -eu
cd "$(dirname "$0")"
node=$1
export CORDAGE=$2
if [ ! -d ../node_modules/playwright-core ]; then
    echo "skipped: web/node_modules is missing (npm ci in web/)"
    exit 77
fi
if ! "$node" --input-type=module -e "
    const { chromium } = await import('$PWD/support.mjs');
    process.exit(chromium ? 0 : 1);"; then
    echo "skipped: chromium is missing"
    exit 77
fi
exec "$node" --test units.test.mjs packing.test.mjs page.test.mjs
