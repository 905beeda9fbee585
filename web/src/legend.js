// The legend: a colour scale, or the names of strands and bodies.
import { bodyColour, strandColour } from './colours.js';
import { tidy } from './numbers.js';

const MOST_KEYS = 8;

export function showLegend(box, painter, scene) {
  box.replaceChildren();
  if (painter.range) {
    const { name, range: { low, high, colours } } = painter;
    const bar = element('div', 'bar');
    bar.style.background = `linear-gradient(to right, ${colours.join(', ')})`;
    const ends = element('div', 'ends');
    const middle = low === -high ? [element('span', '', '0')] : [];
    ends.append(element('span', '', tidy(low)), ...middle, element('span', '', tidy(high)));
    box.append(element('div', '', `${name} [${scene.scalars[name]}]`), bar, ends);
    return;
  }
  const { strands, bodies } = scene;
  const entries = [...strands.map((strand, i) => ({ name: strand.name ?? `strand ${i + 1}`, colour: strandColour(strand, i) })),
    ...bodies.map((body, i) => ({ name: body.name, colour: bodyColour(scene, i), shape: body.shape })).filter(({ shape }) => shape !== 'none')];
  if (entries.length < 2) return;
  for (const { name, colour } of entries.slice(0, MOST_KEYS)) {
    const key = element('span', 'key'), dot = element('span', 'dot');
    dot.style.background = colour;
    key.append(dot, name);
    box.append(key);
  }
  if (entries.length > MOST_KEYS) box.append(`and ${entries.length - MOST_KEYS} more`);
}

function element(tag, name, text) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  if (text !== undefined) e.textContent = text;
  return e;
}
