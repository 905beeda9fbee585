// Images in a plane: their own colours, without light and shadow, seen from both sides.
import * as THREE from 'three';
import { Reader } from './unpack.js';

// Upper left, upper right, lower left, lower right.
export function cornersOfImage({ corner, right, down }) {
  return [[0, 0], [1, 0], [0, 1], [1, 1]].map(([x, y]) => corner.map((c, k) => c + x * right[k] + y * down[k]));
}

// Four channels, one after the other, to red, green, blue and opacity of each pixel.
export function unpackPixels(bytes, { columns, rows }) {
  const reader = new Reader(bytes), rgba = new Uint8Array(4 * columns * rows);
  for (let k = 0; k < 4; k++) {
    const channel = reader.channel(rows, columns);
    for (let i = 0; i < channel.length; i++) rgba[4 * i + k] = channel[i];
  }
  return rgba;
}

// The pixels of PNG files [{ name, bytes }], by their names. Files that cannot be decoded are left out.
export async function decodeImages(files) {
  const decoded = new Map();
  for (const { name, bytes } of files.filter((file) => /\.png$/i.test(file.name))) {
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }), { colorSpaceConversion: 'none', premultiplyAlpha: 'none' }).catch(() => null);
    if (!bitmap) continue;
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    decoded.set(name, new Uint8Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer));
  }
  return decoded;
}

function makeTexture(image, rgba) {
  const texture = new THREE.DataTexture(rgba, image.columns, image.rows);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.magFilter = THREE.LinearFilter;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return texture;
}

export function makeImage(image, rgba) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(cornersOfImage(image).flat(), 3));
  geometry.setAttribute('uv', new THREE.Float32BufferAttribute([0, 0, 1, 0, 0, 1, 1, 1], 2)); // row 0 is the top
  geometry.setIndex([0, 2, 1, 1, 2, 3]);
  const material = new THREE.MeshBasicMaterial({ map: makeTexture(image, rgba), transparent: true, opacity: image.opacity, side: THREE.DoubleSide, depthWrite: false });
  const mesh = new THREE.Mesh(geometry, material);
  mesh.renderOrder = 2; // after the ground and its shadows
  return mesh;
}
