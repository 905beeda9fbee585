// What the tests share: pages made by the command, and reading them without a browser.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { Recording } from '../src/recording.js';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const command = process.env.CORDAGE ?? path.join(root, 'build/cordage');
// All tests of live pages, of recordings and of the site, or a quick part of them.
export const everything = process.env.CORDAGE_WEB === 'all';
const made = new Map(), folders = [];
process.on('exit', () => { for (const folder of folders) rmSync(folder, { recursive: true, force: true }); });

// An empty folder, gone after the tests.
export function newFolder() {
  folders.push(mkdtempSync(path.join(tmpdir(), 'cordage-viewer-')));
  return folders[folders.length - 1];
}

// A scene of one strand that swings; `head`: its title, run and so on.
export const pendulum = (head, vertices) => `cordage: 1
${head}
strands:
  - name: rope
    shape: {line: {from: [0, 0, 1], to: [0.5, 0, 1], vertices: ${vertices}}}
    material: {density: 1000, young: 5 MPa}
    section: {circle: {radius: 4 mm}}
    damping: 5 ms
clamps: [{name: top, at: rope@start}]
`;

// A PNG file of so many columns and rows.
export function png(rgba, columns, rows) {
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind), data]), ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13), lines = Array.from({ length: rows }, (_, y) => Buffer.from([0, ...rgba.slice(4 * columns * y, 4 * columns * (y + 1))]));
  head.writeUInt32BE(columns, 0);
  head.writeUInt32BE(rows, 4);
  head.set([8, 6], 8); // bits, red green blue opacity
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(lines))), chunk('IEND', Buffer.alloc(0))]);
}

// The folder that a run of a scene leaves, made once.
export function run(scene, ...options) {
  const key = [scene, ...options].join(' ');
  if (!made.has(key)) {
    const folder = newFolder();
    execFileSync(command, ['run', path.join(root, scene), '--quiet', '--out', folder, ...options]);
    made.set(key, folder);
  }
  return made.get(key);
}

// The exit code of a command.
export function fails(...words) {
  return spawnSync(command, words).status;
}

export async function readPage(folder) {
  const text = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const scene = JSON.parse(/id="scene">([^]*?)<\/script>/.exec(text)[1]);
  const recording = new Recording(scene);
  for (const [, base64] of text.matchAll(/class="frames">([^<]*)</g)) await recording.add(base64);
  return recording;
}

// Rows of numbers (names become NaN), without the header.
export function readCsv(file) {
  return readFileSync(file, 'utf8').trim().split('\n').slice(1).map((line) => line.split(',').map(Number));
}

export const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
