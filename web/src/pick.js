// What is under the pointer: the strand whose drawn centreline is nearest, unless a body is in front of it; else a body.
import * as THREE from 'three';

const REACH = { mouse: 10, pen: 14, touch: 28 }; // px beside a strand

// Pixels of the canvas, from its upper left corner.
export function pixelOf(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

// Where a position is in the canvas, with its distance from the camera.
export function project(stage, place, out = new THREE.Vector3()) {
  const { camera, canvas } = stage;
  out.set(...place);
  const distance = out.distanceTo(camera.position);
  out.project(camera);
  return { x: (out.x + 1) / 2 * canvas.clientWidth, y: (1 - out.y) / 2 * canvas.clientHeight, distance, behind: out.z > 1 };
}

export function rayThrough(stage, { x, y }) {
  const ray = new THREE.Raycaster(), { clientWidth, clientHeight } = stage.canvas;
  ray.setFromCamera(new THREE.Vector2(2 * x / clientWidth - 1, 1 - 2 * y / clientHeight), stage.camera);
  return ray;
}

// Where the line of sight through a pixel meets the plane across it through a position.
export function acrossSight(stage, pixel, place) {
  const normal = stage.camera.getWorldDirection(new THREE.Vector3());
  const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, new THREE.Vector3(...place));
  return rayThrough(stage, pixel).ray.intersectPlane(plane, new THREE.Vector3())?.toArray() ?? null;
}

function nearestStrand(view, frame, pixel, reach) {
  const { stage, source } = view, at = new THREE.Vector3(), height = stage.canvas.clientHeight;
  const perPixel = 2 * Math.tan(THREE.MathUtils.degToRad(stage.camera.fov / 2)) / Math.max(1, height); // of the distance
  let best = null;
  source.scene.strands.forEach((strand, index) => {
    const x = source.vertices(index, frame, new Float64Array(3 * strand.vertices)), thickness = view.tubes[index].thickness * view.tubes[index].scale;
    const seen = Array.from({ length: strand.vertices }, (_, i) => project(stage, x.subarray(3 * i, 3 * i + 3), at));
    for (let j = 0; j < strand.edges; j++) {
      const a = seen[j], b = seen[(j + 1) % strand.vertices];
      if (a.behind || b.behind) continue;
      const dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
      const part = square > 0 ? Math.min(1, Math.max(0, ((pixel.x - a.x) * dx + (pixel.y - a.y) * dy) / square)) : 0;
      const off = Math.hypot(a.x + part * dx - pixel.x, a.y + part * dy - pixel.y), distance = a.distance + part * (b.distance - a.distance);
      const beside = Math.max(0, off - thickness / (distance * perPixel)); // px outside its drawn side
      if (beside > reach || (best && (beside > best.beside || (beside === best.beside && distance > best.distance)))) continue;
      const next = (j + 1) % strand.vertices;
      best = { what: 'strand', index, edge: j, part, beside, distance, place: [0, 1, 2].map((k) => x[3 * j + k] + part * (x[3 * next + k] - x[3 * j + k])) };
    }
  });
  return best;
}

function nearestBody(view, pixel) {
  const ray = rayThrough(view.stage, pixel);
  let best = null;
  view.solids.forEach((solid, index) => {
    if (!solid.mesh.visible || view.source.scene.bodies[index].shape === 'plane') return;
    const hit = ray.intersectObject(solid.mesh, true)[0];
    if (hit && (!best || hit.distance < best.distance)) best = { what: 'body', index, distance: hit.distance, place: hit.point.toArray() };
  });
  return best;
}

// { what: 'strand' or 'body', index, place } or null; of a strand also the edge and the part of it.
export function pick(view, frame, pixel, pointerType = 'mouse') {
  const strand = nearestStrand(view, frame, pixel, REACH[pointerType] ?? REACH.mouse), body = nearestBody(view, pixel);
  if (!strand || !body) return strand ?? body;
  return body.distance < strand.distance && strand.beside > 0 || body.distance < 0.98 * strand.distance ? body : strand;
}

// The nearest of some positions within reach of a pixel; −1: none is.
export function pickPoint(stage, places, pixel, pointerType = 'mouse') {
  const reach = Math.max(12, REACH[pointerType] ?? 0);
  let best = -1, least = reach;
  places.forEach((place, i) => {
    const seen = project(stage, place), off = Math.hypot(seen.x - pixel.x, seen.y - pixel.y);
    if (!seen.behind && off < least) [best, least] = [i, off];
  });
  return best;
}
