// The controls of a live session: sliders for the scene's numbers, gravity and wind, switches of constraints.
import { element } from './elements.js';
import { tidy } from './numbers.js';

const AXES = ['x', 'y', 'z'];

// A slider with a number beside it, for values also beyond its range. `changed(value)` is called while it is moved.
export function slider({ label, unit, value, min, max, step }, changed) {
  const row = element('label', 'slider'), name = element('span', 'name', label);
  const range = Object.assign(document.createElement('input'), { type: 'range', min, max, step: step || 'any', value });
  const number = Object.assign(document.createElement('input'), { type: 'number', step: step || 'any', value: Number(Number(value).toPrecision(6)) });
  number.setAttribute('aria-label', `${label}${unit ? `, ${unit}` : ''}, exactly`);
  range.setAttribute('aria-label', label);
  const set = (from, to) => {
    const v = Number(from.value);
    if (!Number.isFinite(v) || from.value === '') return;
    to.value = to === number ? Number(v.toPrecision(4)) : v;
    changed(v);
  };
  range.addEventListener('input', () => set(range, number));
  number.addEventListener('change', () => set(number, range));
  row.append(name, range, number, element('span', 'unit', unit));
  row.show = (v) => {
    if (document.activeElement !== number) number.value = Number(Number(v).toPrecision(4));
    if (document.activeElement !== range || Math.abs(Number(range.value) - v) > 1e-9 * Math.abs(v)) range.value = v;
  };
  return row;
}

// Three sliders for a vector, the last component (upwards) first.
function vectorSliders(title, value, most, unit, changed) {
  const now = [...value];
  return [2, 0, 1].map((k) => slider({ label: `${title} ${AXES[k]}`, unit, value: now[k], min: -most, max: most, step: 0 }, (v) => {
    now[k] = v;
    changed([...now]);
  }));
}

function section(title, ...rows) {
  const box = element('section');
  box.append(element('h2', '', title), ...rows);
  return box;
}

export class LivePanel {
  constructor(box) {
    this.box = box;
    this.key = null;
  }

  // Built again when the scene has other controls; values that the scene gives are shown, except in the one being moved.
  show(live) {
    const { scene } = live.source, { controls = [], gravity = [0, 0, -9.81], wind = null } = scene.live ?? {};
    const key = JSON.stringify([controls.map(({ value, ...rest }) => rest), wind === null, scene.constraints.map(({ name }) => name)]);
    if (key === this.key) {
      controls.forEach(({ value }, i) => { if (!this.rows[i].contains(document.activeElement)) this.rows[i].show(value); });
      return;
    }
    this.key = key;
    this.box.replaceChildren();
    this.rows = controls.map((control, i) => slider(control, (v) => live.slide(control.path, v, (value) => live.session.steer(i, value))));
    if (controls.length > 0) this.box.append(section('Numbers of the scene', ...this.rows));
    const strength = Math.max(20, 2 * Math.hypot(...gravity));
    this.box.append(section('Gravity', ...vectorSliders('Gravity', gravity, strength, 'm/s²', (v) => live.slide('gravity', v, (value) => live.session.gravity(value)))));
    if (wind) this.box.append(section('Wind', ...vectorSliders('Wind', wind, Math.max(20, 2 * Math.hypot(...wind)), 'm/s', (v) => live.slide('wind', v, (value) => live.session.wind(value)))));
    this.addSwitches(live, scene);
  }

  addSwitches(live, scene) {
    this.switches = [];
    const rows = scene.constraints.flatMap(({ name, kind }, i) => {
      if (!name) return [];
      const row = element('label', 'switch'), input = Object.assign(document.createElement('input'), { type: 'checkbox', checked: true });
      input.addEventListener('change', () => live.setAttached(i, input.checked));
      row.append(input, element('span', '', name), element('span', 'unit', kind));
      this.switches.push({ input, index: i });
      return [row];
    });
    if (rows.length > 0) this.box.append(section('Constraints', ...rows));
  }

  // Which constraints act may change by itself.
  follow(source, frame) {
    for (const { input, index } of this.switches ?? []) input.checked = source.attached(index, frame);
  }
}
