// What lies in the page: a recording, the scene's files and states to take over from, the engine, the editor; or where a
// session waits.
import { unpackPixels } from './images.js';
import { Recording } from './recording.js';
import { filesFromJson } from './share.js';
import { fromBase64, inflate, inflateBytes } from './unpack.js';
import { $ } from './elements.js';

const json = (id) => ($(id) ? JSON.parse($(id).textContent) : null);

export async function loadRecording() {
  const scene = json('scene');
  if (!scene) return null;
  const recording = new Recording(scene);
  const packed = await Promise.all([...document.querySelectorAll('script.pixels')].map((file) => inflate(file.textContent)));
  recording.pixels = packed.map((bytes, file) => unpackPixels(bytes, scene.images.find((image) => image.file === file)));
  const chunks = [...document.querySelectorAll('script.frames')];
  // The browser inflates the next chunk while the present one is unpacked. The last chunk of a run that was
  // killed may be cut off; its frames are then missing.
  const prepare = (i) => chunks[i] && inflate(chunks[i].textContent).catch((error) => error);
  for (let i = 0, next = prepare(0); i < chunks.length; i++) {
    const bytes = await next;
    next = prepare(i + 1);
    if (bytes instanceof Error) {
      if (i + 1 < chunks.length || i === 0) throw bytes;
      break;
    }
    recording.addBytes(bytes);
    chunks[i].remove();
  }
  return recording;
}

export const failureOf = () => json('failure-data');

// { files: [{ name, bytes }], overrides } of the scene, or null.
export function openedFiles() {
  const described = json('files');
  return described && filesFromJson(described);
}

// The last state at or before a frame, to go on from.
export async function stateAt(frame) {
  const states = [...document.querySelectorAll('script.state')].filter((s) => Number(s.dataset.frame) <= frame);
  const last = states.sort((a, b) => Number(a.dataset.frame) - Number(b.dataset.frame)).at(-1);
  return last ? inflate(last.textContent) : new Uint8Array();
}

// A classic script, since pages that are opened as files may not fetch.
function loadScript(address) {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: address, onload: resolve });
    script.onerror = () => reject(new Error(`${address} is missing`));
    document.head.append(script);
  });
}

// Some large part of the page: in it, or in a script beside it that several pages share.
async function part(id, name) {
  if ($(id)?.textContent.trim()) return inflate($(id).textContent);
  const address = $(id)?.dataset.src;
  if (!address) return null;
  if (!globalThis[name]) await loadScript(address);
  return inflateBytes(fromBase64(globalThis[name]));
}

export const hasEngine = () => $('engine') !== null;
export const engineBytes = () => part('engine', 'cordage_engine');

export async function loadEditor() {
  if (!globalThis.cordage_editor) {
    const code = await part('editor', 'cordage_editor_code');
    if (!code) throw new Error('it is not part of this page');
    const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    await loadScript(address);
    URL.revokeObjectURL(address);
  }
  return globalThis.cordage_editor;
}

// The address of a session's socket, where the page was served by one.
export function socketAddress() {
  const socket = json('connection')?.socket;
  return socket ? new URL(socket, location.href.replace(/^http/, 'ws')).href : null;
}
