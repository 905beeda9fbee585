// Undoes src/record/pack.c: base64, inflate, prediction.

export async function inflate(base64) {
  return inflateBytes(fromBase64(base64));
}

export async function inflateBytes(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Reads little-endian numbers one after another.
export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }
  u8() { return this.bytes[this.at++]; }
  u32() { this.at += 4; return this.view.getUint32(this.at - 4, true); }
  f32() { this.at += 4; return this.view.getFloat32(this.at - 4, true); }
  f64() { this.at += 8; return this.view.getFloat64(this.at - 8, true); }
  plane(count) { this.at += count; return this.bytes.subarray(this.at - count, this.at); }
  // Browsers run on little-endian machines only.
  f32s(count) { return new Float32Array(this.plane(4 * count).slice().buffer); }
  f64s(count) { return new Float64Array(this.plane(8 * count).slice().buffer); }

  // frames × items integers: the stored value is the difference from the neighbour of the difference in
  // time, sign in the lowest bit, low bytes before high bytes.
  channel(frames, items) {
    const bits = this.u8(), order = this.u8(), count = frames * items;
    const low = this.plane(count), high = bits > 8 ? this.plane(count) : null;
    const values = bits > 8 ? new Uint16Array(count) : new Uint8Array(count);
    const mask = (1 << bits) - 1;
    for (let f = 0, k = 0; f < frames; f++) {
      const time = Math.min(f, order);
      for (let i = 0, sum = 0; i < items; i++, k++) {
        const z = high ? low[k] | high[k] << 8 : low[k];
        sum += z & 1 ? -((z + 1) >> 1) : z >> 1;
        let value = sum;
        if (time === 1) value += values[k - items];
        else if (time === 2) value += 2 * values[k - items] - values[k - 2 * items];
        values[k] = value & mask;
      }
    }
    return values;
  }

  scalars(frames, items) {
    const low = this.f32(), high = this.f32();
    return { low, scale: (high - low) / 255, values: this.channel(frames, items) };
  }
}
