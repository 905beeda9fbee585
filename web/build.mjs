// usage: node build.mjs FOLDER
// Bundles the viewer into FOLDER/viewer.html, one page without data, and writes the same bytes as C
// into FOLDER/viewer_page.c, for the library.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.resolve(process.argv[2] ?? path.join(here, '../build/web'));

async function bundle(entry) {
  const result = await build({
    entryPoints: [path.join(here, 'src', entry)],
    bundle: true, minify: true, write: false, format: 'iife', target: 'es2022',
    charset: 'utf8', legalComments: 'eof', logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

function toC(bytes) {
  const lines = [];
  for (let i = 0; i < bytes.length; i += 32) lines.push(bytes.subarray(i, i + 32).join(','));
  return `#include "record/viewer_page.h"\n\nconst unsigned char cord__viewer_page[] = {\n${
    lines.join(',\n')}\n};\nconst size_t cord__viewer_page_size = sizeof cord__viewer_page;\n`;
}

const [script, style, template] = await Promise.all([
  bundle('main.js'), bundle('style.css'), readFile(path.join(here, 'src/index.html'), 'utf8')]);
const whole = template
  .replace('<!-- style -->', () => `<style>${style}</style>`)
  .replace('<!-- script -->', () => `<script type="module">${script}</script>`);
const page = whole.slice(0, whole.indexOf('<!-- data -->')); // the recorder goes on from here
await mkdir(folder, { recursive: true });
await writeFile(path.join(folder, 'viewer.html'), page);
await writeFile(path.join(folder, 'viewer_page.c'), toC(Buffer.from(page)));
