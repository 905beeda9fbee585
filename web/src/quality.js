// How finely pictures are drawn. Where they take too long, those of a motion are coarser: fewer pixels, a coarser mesh of strands and a
// smaller map of the sky's shadow. What stands still is drawn once at full quality. Without a graphics processor all motion is coarse:
// its triangles and pixels are all the processor's work.

// Pixels per pixel of full quality; from the second on, meshes and shadows are coarser too. In software a still picture has several
// pixels to a pixel of the screen, instead of several samples to each pixel, which would make every triangle as dear as four.
const HARDWARE = [{ pixels: 1, coarse: false }, { pixels: 0.7, coarse: true }, { pixels: 0.5, coarse: true }];
const SOFTWARE = [{ pixels: 1, coarse: false }, { pixels: 0.5, coarse: true }, { pixels: 0.35, coarse: true }];
const FINEST = 2, MOST_PIXELS = 3e6; // pixels per pixel of the screen, to each side; in software, in all

let software = null;

// Whether WebGL runs in software.
export function isSoftware() {
  if (software === null) {
    const gl = document.createElement('canvas').getContext('webgl2'), info = gl?.getExtension('WEBGL_debug_renderer_info');
    software = gl !== null && /swiftshader|llvmpipe|software/i.test(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
  }
  return software;
}

export const levels = () => (isSoftware() ? SOFTWARE : HARDWARE);

// Pixels per pixel of the screen, to each side, of a picture of this size.
export function finest(width, height) {
  return isSoftware() ? Math.max(1, Math.min(FINEST, Math.sqrt(MOST_PIXELS / (width * height)))) : Math.min(devicePixelRatio, FINEST);
}
const SLOW = 28, FAST = 20, REST = 150; // ms: a picture that takes too long; one that does not; without motion, until all is drawn finely
const ENOUGH = 3, PATIENCE = 120, MOST_PATIENCE = 4000; // slow pictures until it is coarser, fast ones until it is finer, at most
const AWAY = 3000; // ms: nobody has looked at the page

export class Quality {
  // `least`, `level`: of motion. `shown`: of the picture.
  constructor(least = 0) {
    Object.assign(this, { least, level: least, shown: 0, slow: 0, fast: 0, patience: PATIENCE, last: null, moved: -Infinity, drew: false });
  }

  // Called at each refresh of the display, before drawing: whether a picture of something new is due, and whether more of them are to
  // come (it plays, or is filmed at full quality). Returns the level of the picture.
  turn(now, { dirty, playing, filming = false }) {
    if (this.last !== null && this.drew) this.judge(now - this.last);
    this.last = now;
    this.drew = dirty;
    if (dirty) this.moved = now;
    const resting = !dirty && !playing && now - this.moved > REST;
    if (filming || resting) this.shown = 0;
    else if (dirty) this.shown = this.level;
    return this.shown;
  }

  // How long it took from a picture to the next refresh: the graphics processor takes no more pictures than it can draw.
  judge(interval) {
    if (interval > AWAY) return;
    if (interval > SLOW) {
      this.fast = 0;
      this.slow++;
    } else if (interval < FAST) {
      this.slow = Math.max(0, this.slow - 0.5);
      this.fast++;
    }
    if (this.slow >= ENOUGH) this.change(1);
    else if (this.fast >= this.patience && this.level > this.least) {
      this.patience = Math.min(MOST_PATIENCE, 2 * this.patience); // it may turn out too slow again
      this.change(-1);
    }
  }

  change(by) {
    this.level = Math.min(HARDWARE.length - 1, Math.max(this.least, this.level + by));
    this.slow = this.fast = 0;
  }
}
