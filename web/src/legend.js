// The legend: a colour scale, or the names of strands and bodies, one entry for all members of an array.
import { families, familyColour } from './colours.js';
import { SLIPS, STICKS } from './contacts.js';
import { element } from './elements.js';
import { tidy } from './numbers.js';

const mostKeys = () => (matchMedia('(max-width: 640px)').matches ? 3 : 8); // on a phone, and elsewhere

// `contacts`: whether these are shown.
export function showLegend(box, painter, scene, contacts) {
  box.replaceChildren();
  showNames(box, painter, scene);
  if (contacts) box.append(...[['sticks', STICKS], ['slips', SLIPS]].map(([name, colour]) => keyOf(name, colour)));
}

function showNames(box, painter, scene) {
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
  const shown = families(scene).filter(({ shape }) => shape !== 'none' && shape !== 'plane');
  if (shown.reduce((sum, { members }) => sum + members.length, 0) < 2) return;
  const most = mostKeys();
  for (const family of shown.slice(0, most)) {
    const { name, members: { length } } = family;
    box.append(keyOf(length > 1 ? `${name} × ${length}` : name, familyColour(scene, family)));
  }
  if (shown.length > most) box.append(element('span', 'key', `and ${shown.length - most} more`));
}

function keyOf(name, colour) {
  const key = element('span', 'key'), dot = element('span', 'dot');
  dot.style.background = colour;
  key.append(dot, name);
  return key;
}
