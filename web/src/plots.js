// Probes and energies over time, with a cursor that follows the picture and leads it.
import { tidy, ticks } from './numbers.js';

const COLOURS = { light: ['#b4502b', '#2f7dad', '#5a8f3c', '#8a63ad', '#b98a14', '#3a8f87', '#23282e'],
                  dark: ['#e58a5c', '#6cb1dc', '#93c572', '#c19be0', '#e3bc4f', '#6fc7be', '#e6e4de'] };
const LEFT = 46, BOTTOM = 18, TOP = 6, RIGHT = 6;

// Series of one probe and one unit share a plot; those that are zero throughout are left out.
function groups(recording) {
  const out = new Map();
  recording.scene.series.forEach((info, i) => {
    const values = recording.series[i];
    if (!values.some((v) => v !== 0 && Number.isFinite(v))) return;
    const key = `${info.group} ${info.unit}`;
    if (!out.has(key)) out.set(key, { title: info.group, unit: info.unit, lines: [] });
    out.get(key).lines.push({ name: info.name, values });
  });
  return [...out.values()];
}

export class Plots {
  constructor(box, recording, player, theme) {
    Object.assign(this, { recording, player, theme });
    this.plots = groups(recording).map((group) => this.make(box, group));
    this.profiles = profiles(recording).map((profile) => this.makeProfile(box, profile));
    new ResizeObserver(() => this.draw(true)).observe(box);
  }

  makeProfile(box, profile) {
    const { figure, caption, canvas } = makeFigure(box, profile.title, profile.unit);
    canvas.setAttribute('aria-label', `${profile.title} along ${profile.strand.name}, now`);
    canvas.classList.add('still');
    caption.append(Object.assign(document.createElement('span'), { textContent: `along ${profile.strand.name}` }));
    return { ...profile, figure, canvas };
  }

  // One value per vertex, now, in the range of the whole run.
  drawProfile(plot) {
    const { canvas, strand, low, high } = plot, width = canvas.clientWidth, height = canvas.clientHeight;
    if (width === 0) return;
    const ratio = Math.min(2, devicePixelRatio), length = strand.length[0], style = getComputedStyle(document.documentElement);
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    plot.x = (s) => LEFT + (width - LEFT - RIGHT) * (length > 0 ? s / length : 0);
    plot.y = (v) => TOP + (height - TOP - BOTTOM) * (1 - (v - low) / (high - low));
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    axes(context, plot, { width, height, low, high, start: 0, end: length, unit: 'm' }, style);
    this.recording.scalar(plot.index, plot.scalar, this.player.frame, plot.values);
    context.strokeStyle = COLOURS[this.theme.name][1];
    context.lineWidth = 1.6;
    context.lineJoin = 'round';
    context.beginPath();
    plot.values.forEach((v, i) => context.lineTo(plot.x(length * i / strand.edges), plot.y(v)));
    context.stroke();
  }

  make(box, group) {
    const { caption, canvas } = makeFigure(box, group.title, group.unit);
    group.readings = group.lines.map((line, i) => {
      const reading = document.createElement('span'), mark = document.createElement('i'), value = document.createTextNode('');
      reading.append(mark, value);
      caption.append(reading);
      return { mark, value, line, colour: i };
    });
    canvas.setAttribute('aria-label', `${group.title} over time; drag to move in time`);
    const plot = { ...group, canvas, still: document.createElement('canvas') };
    this.lead(plot);
    return plot;
  }

  // Dragging in a plot moves the time.
  lead(plot) {
    const { canvas } = plot;
    const seek = (event) => {
      const box = canvas.getBoundingClientRect(), { start, end } = this.player;
      const part = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      this.player.pause();
      this.player.seek(start + part * (end - start));
    };
    canvas.addEventListener('pointerdown', (event) => { canvas.setPointerCapture(event.pointerId); seek(event); });
    canvas.addEventListener('pointermove', (event) => { if (event.buttons & 1) seek(event); });
  }

  // The lines are drawn once into `still`; the cursor is drawn over them in every frame.
  draw(again = false) {
    const { frame } = this.player;
    for (const plot of this.profiles) this.drawProfile(plot);
    for (const plot of this.plots) {
      if (again || !plot.ready) this.drawStill(plot);
      if (!plot.ready) continue;
      const context = plot.canvas.getContext('2d'), ratio = plot.ratio;
      context.clearRect(0, 0, plot.canvas.width, plot.canvas.height);
      context.drawImage(plot.still, 0, 0);
      const x = plot.x(this.player.time) * ratio;
      context.strokeStyle = plot.cursor;
      context.lineWidth = 1.5 * ratio;
      context.beginPath();
      context.moveTo(x, TOP * ratio);
      context.lineTo(x, (plot.height - BOTTOM) * ratio);
      context.stroke();
      plot.readings.forEach(({ value, line, mark, colour }) => {
        const palette = COLOURS[this.theme.name], css = palette[colour % palette.length];
        value.data = `${line.name} ${tidy(line.values[frame])}`;
        mark.style.background = css;
        context.fillStyle = css;
        context.beginPath();
        context.arc(x, plot.y(line.values[frame]) * ratio, 3 * ratio, 0, 7);
        context.fill();
      });
    }
  }

  drawStill(plot) {
    const width = plot.canvas.clientWidth, height = plot.canvas.clientHeight;
    if (width === 0) return;
    const ratio = Math.min(2, devicePixelRatio), { times } = this.recording, { start, end } = this.player;
    for (const canvas of [plot.canvas, plot.still]) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    const { low, high } = span(plot.lines);
    plot.x = (t) => LEFT + (width - LEFT - RIGHT) * (end > start ? (t - start) / (end - start) : 0);
    plot.y = (v) => TOP + (height - TOP - BOTTOM) * (1 - (v - low) / (high - low));
    Object.assign(plot, { ratio, height, ready: true });
    const style = getComputedStyle(document.documentElement), context = plot.still.getContext('2d');
    plot.cursor = style.getPropertyValue('--soft');
    context.scale(ratio, ratio);
    axes(context, plot, { width, height, low, high, start, end }, style);
    plot.lines.forEach((line, i) => {
      const palette = COLOURS[this.theme.name];
      context.strokeStyle = palette[i % palette.length];
      context.lineWidth = 1.6;
      context.lineJoin = 'round';
      context.beginPath();
      trace(context, plot, times, line.values, width);
      context.stroke();
    });
  }
}

// Probes of whole strands: shown along the strand. `low` and `high` are of all frames.
function profiles(recording) {
  const { strands, scalars, profiles: list } = recording.scene;
  return list.flatMap(({ name, of, scalar }) => {
    const index = strands.findIndex((s) => s.name === of);
    if (index < 0 || !strands[index].scalars.includes(scalar)) return [];
    let low = Infinity, high = -Infinity;
    for (const chunk of recording.chunks) {
      const field = chunk.strands[index].scalars[scalar];
      low = Math.min(low, field.low);
      high = Math.max(high, field.low + 255 * field.scale);
    }
    const room = 0.06 * (high - low) || Math.abs(high) * 0.05 || 1;
    const values = new Float64Array(strands[index].vertices);
    return [{ title: name, unit: scalars[scalar], strand: strands[index], index, scalar, values, low: low - room, high: high + room }];
  });
}

function makeFigure(box, title, unit) {
  const figure = document.createElement('figure'), caption = document.createElement('figcaption');
  const canvas = document.createElement('canvas'), heading = document.createElement('b');
  heading.textContent = title + (unit ? ` [${unit}]` : '');
  caption.append(heading);
  canvas.setAttribute('role', 'img');
  figure.append(caption, canvas);
  box.append(figure);
  return { figure, caption, canvas };
}

function span(lines) {
  let low = Infinity, high = -Infinity;
  for (const { values } of lines) {
    for (const v of values) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  const room = 0.06 * (high - low) || Math.abs(high) * 0.05 || 1;
  return { low: low - room, high: high + room };
}

function axes(context, plot, { width, height, low, high, start, end, unit = 's' }, style) {
  context.font = '11px system-ui, sans-serif';
  context.fillStyle = style.getPropertyValue('--soft');
  context.strokeStyle = style.getPropertyValue('--line');
  context.lineWidth = 1;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.beginPath();
  for (const v of ticks(low, high, 3)) {
    context.moveTo(LEFT, Math.round(plot.y(v)) + 0.5);
    context.lineTo(width - RIGHT, Math.round(plot.y(v)) + 0.5);
    context.fillText(tidy(v), LEFT - 6, plot.y(v));
  }
  context.stroke();
  context.textBaseline = 'bottom';
  if (!(end > start)) return;
  for (const t of ticks(start, end, 5)) {
    const last = plot.x(t) > width - 24;
    context.textAlign = last ? 'right' : 'center';
    context.fillText(last ? `${tidy(t)} ${unit}` : tidy(t), last ? width - 2 : plot.x(t), height - 1);
  }
}

// At most a few points a pixel: least and largest of those that fall on it.
function trace(context, plot, times, values, width) {
  const stride = Math.max(1, Math.floor(values.length / (2 * width)));
  for (let i = 0; i < values.length; i += stride) {
    let low = values[i], high = low;
    for (let j = i; j < Math.min(values.length, i + stride); j++) {
      low = Math.min(low, values[j]);
      high = Math.max(high, values[j]);
    }
    const x = plot.x(times[i]);
    if (i === 0) context.moveTo(x, plot.y(low)); else context.lineTo(x, plot.y(low));
    if (high > low) context.lineTo(x, plot.y(high));
  }
}
