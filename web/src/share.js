// A link that holds a whole scene: its files and overrides, as JSON, deflated, in base64url, in the fragment of the page's address.
import { fromBase64, inflateBytes } from './unpack.js';

const KEY = 'scene=';

export function toBase64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

export async function deflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Files [{ name, bytes }] as the page's element `files` has them: text where it is text.
export function filesToJson({ files, overrides }) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const described = files.map(({ name, bytes }) => {
    try {
      return { name, text: decoder.decode(bytes) };
    } catch {
      return { name, base64: toBase64(bytes) };
    }
  });
  return { files: described, overrides };
}

export function filesFromJson({ files, overrides = [] }) {
  const encoder = new TextEncoder();
  return { files: files.map(({ name, text, base64 }) => ({ name, bytes: text !== undefined ? encoder.encode(text) : fromBase64(base64) })), overrides };
}

export async function fragmentOf(opened) {
  const packed = await deflate(new TextEncoder().encode(JSON.stringify(filesToJson(opened))));
  return KEY + toBase64(packed).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

// The scene of a fragment; null where it holds none. Rejects where it cannot be read.
export async function openedBy(fragment) {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith(KEY)) return null;
  try {
    const packed = text.slice(KEY.length).replaceAll('-', '+').replaceAll('_', '/');
    const bytes = await inflateBytes(fromBase64(packed + '==='.slice((packed.length + 3) % 4)));
    return filesFromJson(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    throw new Error('The scene in the link cannot be read: perhaps its end is missing.');
  }
}
