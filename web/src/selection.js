// The object that was clicked: a mark in the picture and a card with its name, position, tension, curvature and the like, which
// follow it through time.
import * as THREE from 'three';
import { project } from './pick.js';
import { tidy } from './numbers.js';
import { element } from './elements.js';

const GAP = 24, HANDLES = 110; // px from the mark to the card, and where handles are around it

export class Selection {
  // `actions(selected)`: buttons for the card [{ label, title, act }].
  constructor(card, actions) {
    Object.assign(this, { card, actions, selected: null });
    this.mark = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial({ color: '#d0344b', depthTest: false, transparent: true, opacity: 0.9 }));
    this.mark.renderOrder = 3;
    this.mark.visible = false;
  }

  setView(view) {
    this.view = view;
    view.stage.scene.add(this.mark);
    this.set(null);
  }

  // As pick() gives it. The point of a body is remembered in its own axes.
  set(selected, frame) {
    this.selected = selected;
    if (selected?.what === 'body') {
      const { place, turn } = this.view.source.body(selected.index, frame);
      selected.own = new THREE.Vector3(...selected.place).sub(new THREE.Vector3(...place)).applyQuaternion(new THREE.Quaternion(...turn).conjugate());
    }
    if (selected) this.build(selected);
    this.mark.visible = this.selected !== null;
    this.card.hidden = this.selected === null;
    if (this.selected && frame !== undefined) this.follow(frame);
    if (this.view) this.view.stage.dirty = true;
  }

  nameOf({ what, index }) {
    const { scene } = this.view.source;
    if (what === 'strand') return scene.strands[index].name ?? `strand ${index + 1}`;
    if (what === 'body') return scene.bodies[index].name ?? `body ${index + 1}`;
    return scene.anchors[index].name ?? scene.anchors[index].kind;
  }

  placeOf(selected, frame) {
    const { source } = this.view;
    if (selected.what === 'anchor') return source.point(source.scene.anchors[selected.index].point, frame).place;
    if (selected.what === 'body') {
      const { place, turn } = source.body(selected.index, frame);
      return selected.own.clone().applyQuaternion(new THREE.Quaternion(...turn)).add(new THREE.Vector3(...place)).toArray();
    }
    const strand = source.scene.strands[selected.index], x = source.vertices(selected.index, frame, new Float64Array(3 * strand.vertices));
    const a = 3 * selected.edge, b = 3 * ((selected.edge + 1) % strand.vertices);
    return [0, 1, 2].map((k) => x[a + k] + selected.part * (x[b + k] - x[a + k]));
  }

  rows(selected, place, frame) {
    const { source } = this.view, digits = Math.max(0, Math.ceil(4 - Math.log10(this.view.stage.size)));
    const out = [['position', `${place.map((x) => String(Number(x.toFixed(digits)) || 0).replace('-', '−')).join(', ')} m`]];
    if (selected.what === 'strand') {
      const strand = source.scene.strands[selected.index], values = new Float64Array(strand.vertices);
      for (const name of strand.scalars) {
        if (!source.scalar(selected.index, name, frame, values)) continue;
        const a = values[selected.edge], b = values[(selected.edge + 1) % strand.vertices], value = a + selected.part * (b - a);
        out.push([name, `${tidy(Math.abs(value) < this.resolution(selected.index, name) ? 0 : value)} ${source.scene.scalars[name]}`]);
      }
      const s = (selected.edge + selected.part) / strand.edges * (strand.length[0] ?? 0);
      if (s >= 0) out.splice(1, 0, ['arc length', `${tidy(s)} m of ${tidy(strand.length[0] ?? 0)} m`]);
    }
    if (selected.what === 'body') out.push(['shape', source.scene.bodies[selected.index].shape]);
    if (selected.what === 'anchor') out.push(['kind', source.scene.anchors[selected.index].kind]);
    return out;
  }

  // Of a scalar: a recording has 256 values between the least and the largest.
  resolution(index, name) {
    const { source } = this.view, span = source.live ? null : source.span(index, name);
    return span ? (span.high - span.low) / 500 : 0;
  }

  follow(frame) {
    const { selected, view } = this;
    if (!selected) return;
    const place = this.placeOf(selected, frame);
    this.mark.position.set(...place);
    this.mark.scale.setScalar(Math.max(1e-9, 5 * view.stage.pixel));
    const rows = this.rows(selected, place, frame), names = rows.map(([name]) => name).join();
    if (names !== this.names) {
      this.names = names;
      this.list.replaceChildren(...rows.flatMap(([name]) => [element('dt', '', name), element('dd')]));
    }
    rows.forEach(([, value], i) => { this.list.children[2 * i + 1].textContent = value; });
    this.position(place);
  }

  build(selected) {
    const shut = Object.assign(element('button', 'plain shut', '×'), { title: 'Close (Esc)', onclick: () => this.set(null) });
    shut.setAttribute('aria-label', 'Close');
    this.names = null;
    this.list = element('dl');
    this.card.replaceChildren(element('b', '', this.nameOf(selected)), shut, this.list, this.actionButtons(selected));
  }

  actionButtons(selected) {
    const row = element('div', 'actions');
    for (const { label, title, act } of this.actions(selected)) row.append(Object.assign(element('button', '', label), { title, onclick: act }));
    return row;
  }

  // Beside the mark, or the handles around it, inside the picture.
  position(place) {
    const { card, view: { stage } } = this, seen = project(stage, place), { clientWidth, clientHeight } = stage.canvas;
    if (clientWidth < 600) return card.style.removeProperty('transform'); // a phone has it at a fixed position
    const gap = this.selected.what === 'anchor' && this.actions(this.selected).length > 0 ? HANDLES : GAP;
    const x = seen.x + gap + card.offsetWidth > clientWidth ? seen.x - gap - card.offsetWidth : seen.x + gap;
    const y = Math.min(clientHeight - card.offsetHeight - 8, Math.max(8, seen.y - card.offsetHeight / 2));
    card.style.transform = `translate(${Math.round(Math.max(8, x))}px, ${Math.round(y)}px)`;
    return undefined;
  }
}
