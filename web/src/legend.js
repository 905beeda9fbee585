// What the colours mean.
import { QUANTITIES, strandColour } from './colours.js';
import { tidy } from './numbers.js';

const MOST_KEYS = 8;

export function showLegend(box, painter, strands) {
  box.replaceChildren();
  if (painter.range) {
    const { title, unit } = QUANTITIES[painter.name], { low, high, colours } = painter.range;
    const bar = element('div', 'bar');
    bar.style.background = `linear-gradient(to right, ${colours.join(', ')})`;
    const ends = element('div', 'ends');
    const middle = low < 0 && high > 0 ? [element('span', '', '0')] : [];
    ends.append(element('span', '', tidy(low)), ...middle, element('span', '', tidy(high)));
    box.append(element('div', '', `${title} [${unit}]`), bar, ends);
  } else if (strands.length > 1) {
    strands.slice(0, MOST_KEYS).forEach((strand, i) => {
      const key = element('span', 'key'), dot = element('span', 'dot');
      dot.style.background = strandColour(strand, i);
      key.append(dot, strand.name ?? `strand ${i + 1}`);
      box.append(key);
    });
    if (strands.length > MOST_KEYS) box.append(`and ${strands.length - MOST_KEYS} more`);
  }
}

function element(tag, name, text) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  if (text !== undefined) e.textContent = text;
  return e;
}
