// usage: node pack.mjs ENGINE.WASM ENGINE.JS
// A classic script, which pages opened as files may load: the engine deflated, in base64. Unchanged files stay as they are.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

const [from, to] = process.argv.slice(2);
const text = `globalThis.cordage_engine = "${deflateSync(readFileSync(from), { level: 9 }).toString('base64')}";\n`;
if (!existsSync(to) || readFileSync(to, 'latin1') !== text) writeFileSync(to, text);
