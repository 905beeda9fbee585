// Vectors of three as plain arrays.

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a) => Math.sqrt(dot(a, a));

export function cross(a, b, out) {
  const x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  return out;
}

export function normalize(a) {
  const length = norm(a);
  if (length > 0) for (let k = 0; k < 3; k++) a[k] /= length;
  return length;
}

// Any unit normal of t, as src/record/html.c chooses it.
export function anyNormal(t, u) {
  let least = Math.abs(t[0]) <= Math.abs(t[1]) ? 0 : 1;
  if (Math.abs(t[2]) < Math.abs(t[least])) least = 2;
  for (let k = 0; k < 3; k++) u[k] = (k === least ? 1 : 0) - t[least] * t[k];
  normalize(u);
  return u;
}

// u, normal to `from`, carried to `to` without twist.
export function carry(u, from, to) {
  const turned = 1 + dot(from, to);
  if (turned > 1e-12) {
    const c = dot(u, to) / turned;
    for (let k = 0; k < 3; k++) u[k] -= c * (from[k] + to[k]);
  }
  const along = dot(u, to);
  for (let k = 0; k < 3; k++) u[k] -= along * to[k];
  normalize(u);
  return u;
}

// u, normal to t, turned about t.
export function turn(u, t, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  const x = t[1] * u[2] - t[2] * u[1], y = t[2] * u[0] - t[0] * u[2], z = t[0] * u[1] - t[1] * u[0];
  u[0] = c * u[0] + s * x;
  u[1] = c * u[1] + s * y;
  u[2] = c * u[2] + s * z;
  return u;
}
