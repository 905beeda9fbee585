// Probes and energies over time, with a cursor that follows the picture and leads it; and quantities along strands, now.
// The probes that the scene asks for come first; energies are folded away behind them.
import uPlot from 'uplot';
import { axisLabels, steady } from './numbers.js';

const COLOURS = { light: ['#b4502b', '#2f7dad', '#5a8f3c', '#8a63ad', '#b98a14', '#3a8f87', '#23282e'],
                  dark: ['#e58a5c', '#6cb1dc', '#93c572', '#c19be0', '#e3bc4f', '#6fc7be', '#e6e4de'] };
const HEIGHT = 128, FONT = '11px system-ui, sans-serif', REFRESH = 100; // px; ms between two drawings of a live plot
const ROUND_OFF = 1e-10; // of the largest value of the same unit: below it, a number is the round-off of zero

// The largest magnitude of each unit among all series.
function scales(source) {
  const most = new Map();
  source.scene.series.forEach(({ unit }, i) => {
    let large = most.get(unit) ?? 0;
    for (const v of source.series[i]) if (Number.isFinite(v) && Math.abs(v) > large) large = Math.abs(v);
    most.set(unit, large);
  });
  return most;
}

export const withoutRoundOff = (value, scale) => (Math.abs(value) <= ROUND_OFF * scale ? 0 : value);

// Series of one probe and one unit share a plot. Lines that are zero throughout are left out where others are not.
function groups(source) {
  const found = new Map(), most = scales(source);
  source.scene.series.forEach((info, index) => {
    const key = `${info.group} ${info.unit}`;
    if (!found.has(key)) found.set(key, { title: info.group, unit: info.unit, energy: info.group === 'energy', lines: [] });
    const zero = !source.live && !source.series[index].some((v) => withoutRoundOff(v, most.get(info.unit)) !== 0 && Number.isFinite(v));
    found.get(key).lines.push({ name: info.name, index, zero });
  });
  const kept = [...found.values()].filter((g) => !(g.energy && g.lines.every((line) => line.zero)));
  for (const group of kept) if (group.lines.some((line) => !line.zero)) group.lines = group.lines.filter((line) => !line.zero);
  return kept;
}

// Probes along whole strands, of scalars that the frames have.
function profiles(source) {
  const { profiles: list = [], strands, scalars } = source.scene;
  return list.flatMap(({ name, of, scalar }) => {
    const index = strands.findIndex((s) => s.name === of);
    if (index < 0 || !strands[index].scalars.includes(scalar)) return [];
    return [{ title: name, unit: scalars[scalar], strand: strands[index], index, scalar }];
  });
}

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);

// As wide as its longest label, so that none is clipped.
function axisSize(plot, labels, axis, cycle) {
  if (cycle > 1) return plot.axes[axis]._size;
  plot.ctx.font = plot.axes[axis].font[0];
  const widest = Math.max(0, ...(labels ?? []).map((text) => plot.ctx.measureText(text).width));
  return Math.ceil(widest / devicePixelRatio) + 12;
}

function axes(unit) {
  const look = { font: FONT, stroke: () => css('--soft'), grid: { stroke: () => css('--line'), width: 1 }, ticks: { show: false }, values: (_, splits) => axisLabels(splits) };
  return [{ ...look, size: 22, gap: 2, space: 44, values: (_, splits) => axisLabels(splits).map((text, i, all) => (i === all.length - 1 ? `${text} ${unit}` : text)) },
    { ...look, size: axisSize, gap: 4, space: 26 }];
}

// A little room above and below; a line that is constant lies in the middle.
function roomy(low, high) {
  if (!Number.isFinite(low)) return [-1, 1];
  const room = 0.06 * (high - low) || 0.05 * Math.abs(high) || 1;
  return [low - room, high + room];
}

// A plot in a figure: caption, canvas. `x`: its unit and range; `lines`: names.
class Figure {
  constructor(box, { title, unit, about = '', label, x, lines, theme }) {
    this.element = document.createElement('figure');
    const caption = document.createElement('figcaption'), heading = document.createElement('b');
    heading.textContent = title + (unit ? ` [${unit}]` : '');
    caption.append(heading);
    if (about) caption.append(Object.assign(document.createElement('span'), { textContent: about }));
    this.readings = lines.map((name, i) => {
      const reading = document.createElement('span'), mark = document.createElement('i'), value = document.createTextNode('');
      reading.append(mark, value);
      if (name) caption.append(reading);
      return { name, mark, value, colour: i };
    });
    const body = document.createElement('div');
    body.className = 'plot';
    body.setAttribute('role', 'img');
    body.setAttribute('aria-label', label);
    this.element.append(caption, body);
    box.append(this.element);
    this.theme = theme;
    this.plot = new uPlot({
      width: Math.max(120, body.clientWidth), height: HEIGHT, legend: { show: false }, padding: [6, 24, 0, 0],
      cursor: { show: false }, select: { show: false },
      scales: { x: { time: false, range: x.range }, y: { range: (_, low, high) => this.range(low, high) } },
      axes: axes(x.unit),
      series: [{}, ...lines.map((_, i) => ({ stroke: () => this.colour(i), width: 1.6, spanGaps: true, points: { show: false } }))],
    }, null, body);
    new ResizeObserver(() => { if (body.clientWidth > 0) this.plot.setSize({ width: body.clientWidth, height: HEIGHT }); }).observe(body);
    this.recolour();
  }

  range(low, high) { return roomy(low, high); }
  colour(i) { const palette = COLOURS[this.theme.name]; return palette[i % palette.length]; }

  recolour() {
    for (const { mark, colour } of this.readings) mark.style.background = this.colour(colour);
    this.plot.redraw(false);
  }
}

class TimePlot {
  constructor(box, group, source, player, theme) {
    Object.assign(this, { group, source, player });
    this.figure = new Figure(box, { ...group, theme, lines: group.lines.map(({ name }) => name), label: `${group.title} over time; drag to move in time`,
      x: { unit: 's', range: () => [source.start, source.end > source.start ? source.end : source.start + 1] } });
    this.cursor = Object.assign(document.createElement('div'), { className: 'time-cursor' });
    this.figure.plot.over.append(this.cursor);
    this.lead(this.figure.plot.over);
  }

  // Dragging in a plot moves the time.
  lead(over) {
    const seek = (event) => {
      this.player.pause();
      this.player.seek(this.figure.plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
    };
    over.addEventListener('pointerdown', (event) => { over.setPointerCapture(event.pointerId); seek(event); });
    over.addEventListener('pointermove', (event) => { if (event.buttons & 1) seek(event); });
  }

  setData(most) {
    this.scale = most.get(this.group.unit) ?? 0;
    const clean = (v) => (Number.isFinite(v) ? withoutRoundOff(v, this.scale) : null);
    const lines = this.group.lines.map(({ index }) => Array.from(this.source.series[index], clean));
    this.most = lines.map((values) => values.reduce((most, v) => Math.max(most, Math.abs(v)), 0)); // null counts as 0
    this.figure.plot.setData([this.source.times, ...lines]);
  }

  follow() {
    const { frame, time } = this.player, { plot } = this.figure;
    this.cursor.style.transform = `translateX(${Math.min(plot.over.clientWidth, Math.max(0, plot.valToPos(time, 'x')))}px)`;
    this.figure.readings.forEach(({ value, name }, i) => {
      value.data = `${name} ${steady(withoutRoundOff(this.source.series[this.group.lines[i].index][frame], this.scale), this.most[i])}`;
    });
  }
}

// One value per vertex, now, in the range of the whole run.
class ProfilePlot {
  constructor(box, profile, source, player, theme) {
    Object.assign(this, { profile, source, player, values: new Float64Array(profile.strand.vertices), span: null });
    const { strand } = profile, length = strand.length[0] || 1;
    this.s = Array.from({ length: strand.vertices }, (_, i) => length * i / strand.edges);
    this.figure = new Figure(box, { ...profile, theme, about: `along ${strand.name}`, lines: [''], label: `${profile.title} along ${strand.name}, now`,
      x: { unit: 'm', range: () => [0, length] } });
    this.figure.range = () => roomy(this.span?.low ?? NaN, this.span?.high ?? NaN);
  }

  setData() {
    const now = this.source.span(this.profile.index, this.profile.scalar);
    if (now) this.span = { low: Math.min(now.low, this.span?.low ?? Infinity), high: Math.max(now.high, this.span?.high ?? -Infinity) };
  }

  follow() {
    const values = this.source.scalar(this.profile.index, this.profile.scalar, this.player.frame, this.values);
    if (values && this.span) this.figure.plot.setData([this.s, [...values].map((v) => withoutRoundOff(v, Math.max(-this.span.low, this.span.high)))]);
  }
}

export class Plots {
  constructor(box, theme) {
    Object.assign(this, { box, theme, plots: [], drawn: 0 });
  }

  // The plots of a source; whether there are any.
  setSource(source, player) {
    for (const { figure } of this.plots) figure.plot.destroy();
    this.box.replaceChildren();
    Object.assign(this, { source, player, plots: [], revision: -1, drawn: 0 });
    const all = groups(source), asked = all.filter((g) => !g.energy), energies = all.filter((g) => g.energy);
    const along = profiles(source);
    for (const group of asked) this.plots.push(new TimePlot(this.box, group, source, player, this.theme));
    for (const profile of along) this.plots.push(new ProfilePlot(this.box, profile, source, player, this.theme));
    if (energies.length > 0) this.addEnergies(energies, asked.length + along.length === 0 || source.scene.energy === true);
    this.follow();
    return all.length + along.length > 0;
  }

  // Made when they are first looked at.
  addEnergies(list, open) {
    const details = document.createElement('details'), summary = document.createElement('summary');
    summary.textContent = 'Energy';
    details.append(summary);
    this.box.append(details);
    const make = () => {
      for (const group of list) this.plots.push(new TimePlot(details, group, this.source, this.player, this.theme));
      this.revision = -1;
      this.follow(true);
    };
    details.open = open;
    if (open) make();
    else details.addEventListener('toggle', () => { if (details.isConnected && details.childElementCount === 1) make(); });
  }

  recolour() { for (const { figure } of this.plots) figure.recolour(); }

  // Lines are drawn when frames have been added, a live source's not more often than it can be seen; cursors always.
  follow(now = false) {
    if (this.plots.length === 0 || this.box.offsetParent === null) return;
    const { revision } = this.source, time = performance.now();
    if (revision !== this.revision && (now || time - this.drawn > REFRESH)) {
      const most = scales(this.source);
      for (const plot of this.plots) plot.setData(most);
      Object.assign(this, { revision, drawn: time });
    }
    for (const plot of this.plots) if (plot.scale !== undefined || plot.profile) plot.follow();
  }
}
