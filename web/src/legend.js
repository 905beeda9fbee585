// The legend: a colour scale, or the names of strands and bodies, one entry for all members of an array.
import { families, familyColour } from './colours.js';
import { SLIPS, STICKS } from './contacts.js';
import { element } from './elements.js';
import { tidy } from './numbers.js';

const MOST_KEYS = 8;

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
  for (const family of shown.slice(0, MOST_KEYS)) {
    const { name, members: { length } } = family;
    box.append(keyOf(length > 1 ? `${name} × ${length}` : name, familyColour(scene, family)));
  }
  if (shown.length > MOST_KEYS) box.append(element('span', 'key', `and ${shown.length - MOST_KEYS} more`));
}

function keyOf(name, colour) {
  const key = element('span', 'key'), dot = element('span', 'dot');
  dot.style.background = colour;
  key.append(dot, name);
  return key;
}
