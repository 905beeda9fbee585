// What pointers do to the picture: identify, and, in a live run, pull, pin, cut, weigh down, and move clamps.
import { Handles } from './handles.js';
import { Marks } from './marks.js';
import { acrossSight, pick, pickPoint, pixelOf } from './pick.js';
import { Pointers } from './pointers.js';
import { $ } from './elements.js';

const HOVER = 80; // ms between two looks at what is under a pointer that only moves

export class Tools {
  constructor(app) {
    Object.assign(this, { app, tool: 'hand', holds: new Map(), hovered: 0 });
    for (const button of document.querySelectorAll('#tools [data-tool]')) button.addEventListener('click', () => this.choose(button.dataset.tool));
  }

  setView(view) {
    this.view = view;
    this.holds.clear();
    if (this.pointers) return this.pointers.forget();
    this.marks = new Marks(view.stage, $('labels'));
    this.marks.setTheme(this.app.theme.colours);
    this.handles = new Handles(view.stage, (anchor, place, rotation) => this.app.acting?.moveAnchor(anchor, place, rotation));
    this.pointers = new Pointers($('stage'), $('view'), {
      find: (pixel, type) => this.find(pixel, type),
      takes: (target) => this.takes(target),
      busy: (event) => this.handles.under(pixelOf($('view'), event)),
      click: (target) => this.click(target),
      hover: (pixel, type) => this.hover(pixel, type),
      pull: (pointer) => this.pull(pointer),
      drag: (pointer, pixel) => this.drag(pointer, pixel),
      release: (pointer) => this.release(pointer),
    });
    return undefined;
  }

  choose(tool) {
    this.tool = tool;
    for (const button of document.querySelectorAll('#tools [data-tool]')) button.setAttribute('aria-pressed', String(button.dataset.tool === tool));
    $('mass-label').hidden = tool !== 'weight';
    $('view').classList.toggle('cut', tool !== 'hand');
  }

  leave() {
    this.choose('hand');
    this.holds.clear();
    this.marks?.clear();
    this.handles?.reset();
  }

  // Pins and weights first, then anchors with handles, then strands and bodies.
  find(pixel, type) {
    const { app, view } = this, { frame } = app.player, { stage, source } = view, live = app.acting;
    if (live) {
      const attachments = live.frame?.attachments ?? [], a = pickPoint(stage, attachments.map(({ place, centre, weight }) => (weight ? centre : place)), pixel, type);
      if (a >= 0) return { what: 'attachment', ...attachments[a] };
      const anchors = source.scene.anchors.map((_, i) => i).filter((i) => live.can({ what: 'anchor', index: i }));
      const found = pickPoint(stage, anchors.map((i) => source.point(source.scene.anchors[i].point, frame).place), pixel, type);
      if (found >= 0) return { what: 'anchor', index: anchors[found], place: source.point(source.scene.anchors[anchors[found]].point, frame).place };
    }
    return pick(view, frame, pixel, type);
  }

  takes(target) {
    const live = this.app.acting;
    if (!live || this.tool !== 'hand' || target.what === 'anchor') return false;
    return target.what === 'attachment' ? !target.weight : live.can(target);
  }

  click(target) {
    const { app } = this, { acting: live, selection } = app;
    this.handles.hide();
    if (target?.what === 'attachment') return live.detach(target.number);
    if (!target || !live || this.tool === 'hand' || target.what === 'anchor') {
      selection.set(target, app.player.frame);
      if (target?.what === 'anchor') this.showHandles(target, live.source.scene.live.moves?.[target.index] ? 'translate' : 'rotate');
      app.changed = true;
      return undefined;
    }
    return this.use(this.tool, target);
  }

  // A tool on a strand or body.
  use(tool, target) {
    const live = this.app.acting;
    if (tool === 'pin') return live.pin(target);
    if (tool === 'weight') return live.weight(target, Math.max(1e-6, Number($('mass').value) || 0.1));
    if (!live.canCut(target)) return this.app.toast('Only strands can be cut.');
    return live.cut(target);
  }

  showHandles({ index, place }, mode) { this.handles.show(index, place, mode); }

  // Buttons of the card.
  actions(selected) {
    const live = this.app.acting, { scene } = this.view.source;
    if (!live) return [];
    const now = () => ({ ...selected, place: this.app.selection.placeOf(selected, this.app.player.frame) });
    if (selected.what === 'anchor') {
      const { moves, turns } = scene.live;
      return [moves?.[selected.index] && { label: 'Move', title: 'Handles that move it', act: () => this.showHandles(now(), 'translate') },
        turns?.[selected.index] && { label: 'Turn', title: 'Handles that turn it', act: () => this.showHandles(now(), 'rotate') }].filter(Boolean);
    }
    if (!live.can(selected)) return [];
    return [{ label: 'Pin', title: 'Fixes this point', act: () => this.use('pin', now()) }, live.canCut(selected) && { label: 'Cut', title: 'Cuts it here', act: () => this.use('cut', now()) },
      { label: 'Weight', title: 'Hangs a weight from this point', act: () => this.use('weight', now()) }].filter(Boolean);
  }

  hover(pixel, type) {
    const now = performance.now();
    if (now - this.hovered < HOVER || !this.view) return;
    this.hovered = now;
    $('view').classList.toggle('over', this.find(pixel, type) !== null);
  }

  // ---- pulling

  pull(pointer) {
    const { acting: live, player } = this.app, { target } = pointer;
    pointer.resting = !player.playing; // time goes on while something is held
    if (pointer.resting) player.play();
    if (target.what === 'attachment') return;
    const taken = new Set([...this.holds.values()]);
    let hold = 0;
    while (taken.has(hold)) hold++;
    this.holds.set(pointer.id, hold);
    pointer.hold = hold;
    live.grab(hold, target);
  }

  drag(pointer, pixel) {
    const live = this.app.acting, { target } = pointer, place = acrossSight(this.view.stage, pixel, target.place);
    if (!place || !live) return;
    if (target.what === 'attachment') live.movePin(target.number, place);
    else {
      const serial = live.drag(pointer.hold, place);
      this.sent?.(serial, pointer.event); // for who measures
    }
  }

  release(pointer) {
    const { acting: live, player } = this.app;
    if (!live) return;
    if (this.holds.delete(pointer.id)) live.letGo(pointer.hold);
    if (pointer.resting) player.pause();
  }

  // ---- pictures

  follow(frame) {
    const { acting: live, player, selection } = this.app;
    if (!live) return;
    this.marks.show(live.source?.kept[frame] ?? null);
    if (this.handles.anchor >= 0 && selection.selected?.what === 'anchor') this.handles.follow(selection.placeOf(selection.selected, player.frame));
  }
}
