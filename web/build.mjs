// usage: node build.mjs FOLDER
// Bundles the viewer into FOLDER/viewer.html, one page without data, and writes the same bytes as C
// into FOLDER/viewer_page.c, for the library; and into FOLDER/editor.js the editor, as pages of a site share it.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.resolve(process.argv[2] ?? path.join(here, '../build/web'));

// `import text from 'bundle:FILE'` is the text of another bundle.
const bundles = { name: 'bundle', setup({ onResolve, onLoad }) {
  onResolve({ filter: /^bundle:/ }, ({ path: name }) => ({ path: name.slice('bundle:'.length), namespace: 'bundle' }));
  onLoad({ filter: /.*/, namespace: 'bundle' }, async ({ path: name }) => ({ contents: await bundle(name), loader: 'text' }));
} };

async function bundle(entry) {
  const result = await build({
    entryPoints: [path.join(here, 'src', entry)],
    bundle: true, minify: true, write: false, format: 'iife', target: 'es2022',
    charset: 'utf8', legalComments: 'eof', logLevel: 'warning', plugins: [bundles],
  });
  return result.outputFiles[0].text.trim();
}

// In a script element, "</script" would end it.
const inScript = (code) => code.replaceAll('</script', '<\\/script');
const packed = (text) => deflateSync(Buffer.from(text), { level: 9 }).toString('base64');

// Nothing but what is in the page runs, and nothing is asked for over the network, except the session that served it and
// scripts beside the page.
function policy(script) {
  const hash = createHash('sha256').update(script, 'utf8').digest('base64');
  return `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval' 'self' file: blob:; ` +
    "worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'\">";
}

function toC(bytes) {
  const lines = [];
  for (let i = 0; i < bytes.length; i += 32) lines.push(bytes.subarray(i, i + 32).join(','));
  return `#include "record/viewer_page.h"\n\nconst unsigned char cord__viewer_page[] = {\n${
    lines.join(',\n')}\n};\nconst size_t cord__viewer_page_size = sizeof cord__viewer_page;\n`;
}

const [script, editor, style, template] = await Promise.all([
  bundle('main.js').then(inScript), bundle('editor.js'), bundle('style.css'), readFile(path.join(here, 'src/index.html'), 'utf8')]);
const whole = template
  .replace('<!-- policy -->', () => policy(script))
  .replace('<!-- style -->', () => `<style>${style}</style>`)
  .replace('<!-- script -->', () => `<script type="module">${script}</script>\n<script type="text/plain" id="editor">${packed(editor)}</script>`);
const page = whole.slice(0, whole.indexOf('<!-- data -->')); // the recorder goes on from here
await mkdir(folder, { recursive: true });
await writeFile(path.join(folder, 'viewer.html'), page);
await writeFile(path.join(folder, 'editor.js'), `globalThis.cordage_editor_code = "${packed(editor)}";\n`);
await writeFile(path.join(folder, 'viewer_page.c'), toC(Buffer.from(page)));
