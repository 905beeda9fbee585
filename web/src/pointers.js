// Mouse, pen and fingers on the picture. A click identifies or uses a tool; dragging an object of a live session pulls it, one
// hold per finger; all else is left to the camera.
import { pixelOf } from './pick.js';

const STILL = 5; // px: less is a click

export class Pointers {
  // `box` contains the canvas: its listeners come before those of the camera. `on`:
  //   find(pixel, type) → target or null      what is under the pointer
  //   takes(target)                            whether dragging acts on it instead of the camera
  //   busy(event)                              whether a handle is under the pointer, which then has it
  //   click(target, pixel, type), hover(target, pixel)
  //   pull(pointer), drag(pointer, pixel), release(pointer)
  constructor(box, canvas, on) {
    Object.assign(this, { canvas, on, pointers: new Map() });
    const listen = (name, act) => box.addEventListener(name, act, { capture: true });
    listen('pointerdown', (event) => this.down(event));
    listen('pointermove', (event) => this.move(event));
    listen('pointerup', (event) => this.up(event, true));
    listen('pointercancel', (event) => this.up(event, false));
    listen('lostpointercapture', (event) => this.up(event, false));
  }

  down(event) {
    if (event.target !== this.canvas || event.button !== 0 || this.on.busy(event)) return;
    const pixel = pixelOf(this.canvas, event), type = event.pointerType, target = this.on.find(pixel, type);
    const takes = target !== null && this.on.takes(target);
    this.pointers.set(event.pointerId, { id: event.pointerId, begun: pixel, type, target, takes, pulling: false, moved: false });
    if (!takes) return;
    event.stopPropagation();
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId), pixel = pixelOf(this.canvas, event);
    if (!pointer) {
      if (event.target === this.canvas && event.buttons === 0) this.on.hover(pixel, event.pointerType);
      return;
    }
    if (Math.hypot(pixel.x - pointer.begun.x, pixel.y - pointer.begun.y) > STILL) pointer.moved = true;
    if (!pointer.takes) return;
    event.stopPropagation();
    if (!pointer.moved) return;
    if (!pointer.pulling) {
      pointer.pulling = true;
      this.on.pull(pointer);
    }
    pointer.event = event.timeStamp;
    this.on.drag(pointer, pixel);
  }

  up(event, whole) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    this.pointers.delete(event.pointerId);
    if (pointer.pulling) this.on.release(pointer);
    else if (whole && !pointer.moved) this.on.click(pointer.target, pointer.begun, pointer.type);
  }

  // Nothing is held any more: the scene has changed.
  forget() {
    for (const pointer of this.pointers.values()) pointer.takes = pointer.pulling = false;
  }
}
