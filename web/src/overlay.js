// The directions of the axes, and a scale with its unit, over the picture: as on stills.
const SVG = 'http://www.w3.org/2000/svg', WIDTH = 250; // px, as in style.css
export const AXES = ['#c8483e', '#429154', '#3e74c4'];

function element(name, attributes, parent) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  parent.append(e);
  return e;
}

// 1, 2 or 5 times a power of ten, at most x.
export function roundDown(x) {
  const power = 10 ** Math.floor(Math.log10(x)), lead = x / power;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

export function lengthText(metres) {
  const tidy = (x) => String(Number(x.toPrecision(3)));
  if (metres >= 1) return `${tidy(metres)} m`;
  if (metres >= 0.01) return `${tidy(100 * metres)} cm`;
  return metres >= 1e-3 ? `${tidy(1000 * metres)} mm` : `${tidy(1e6 * metres)} µm`;
}

export class Overlay {
  constructor(parent) {
    this.svg = element('svg', { class: 'overlay', 'aria-hidden': 'true' }, parent);
    this.axes = ['x', 'y', 'z'].map((name, k) => {
      const group = element('g', { stroke: AXES[k], fill: AXES[k] }, this.svg);
      const text = element('text', { stroke: 'none' }, group);
      text.textContent = name;
      return { line: element('line', {}, group), text };
    });
    this.bar = element('path', { class: 'scale' }, this.svg);
    this.label = element('text', { class: 'scale-text' }, this.svg);
  }

  // `right`, `up`: of the camera; `pixel`: the size of a pixel in the middle of the scene, m.
  update(right, up, pixel) {
    const metres = roundDown(150 * pixel), width = metres / pixel, left = WIDTH - 10 - width, length = 26, x = left - 50, y = 52;
    this.axes.forEach(({ line, text }, k) => {
      const dx = length * right.getComponent(k), dy = -length * up.getComponent(k), shown = Math.hypot(dx, dy) > 0.3 * length;
      for (const [key, value] of Object.entries({ x1: x, y1: y, x2: x + dx, y2: y + dy })) line.setAttribute(key, value);
      text.setAttribute('x', x + 1.35 * dx);
      text.setAttribute('y', y + 1.35 * dy + 4);
      text.style.display = shown ? '' : 'none';
    });
    this.bar.setAttribute('d', `M${left} 54v10M${left} 59h${width}M${left + width} 54v10`);
    this.label.setAttribute('x', left + width / 2);
    this.label.setAttribute('y', 48);
    this.label.textContent = lengthText(metres);
  }
}
