// Numbers for people.

export function tidy(value, digits = 3) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1).replace('e+', 'e').replace('-', '−').replace('e-', 'e−');
  return String(Number(value.toPrecision(digits))).replace('-', '−');
}

// Round numbers that divide an interval into about `count` parts.
export function ticks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) out.push(i * step);
  return out;
}
