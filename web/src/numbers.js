// Numbers for people.

export function tidy(value, digits = 3) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1).replace('e+', 'e').replace('-', '−').replace('e-', 'e−');
  return String(Number(value.toPrecision(digits))).replace('-', '−');
}

// A number that changes: with as many decimals as three digits of the largest of its kind have, so that it stays as wide.
export function steady(value, most) {
  if (value === 0 || !Number.isFinite(value) || !(most >= 1e-3 && most < 1e5)) return tidy(value);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(most)));
  return (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits).replace('-', '−');
}

// The least number of decimals that writes a number of few digits exactly: 1 for 2.5.
function decimals(x) {
  let digits = Math.max(0, -Math.floor(Math.log10(x) + 1e-9));
  if (Math.abs(Number(x.toFixed(digits)) - x) > 1e-6 * x) digits++;
  return digits;
}

// Labels of an axis at equal distances: as many digits as say where its lines are, the same in all of them.
export function axisLabels(values) {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0]) || 1;
  const most = Math.max(...values.map(Math.abs)), digits = decimals(step);
  const sign = (text) => text.replace('-', '−');
  return values.map((v) => {
    if (Math.abs(v) < 1e-6 * step) return '0';
    if (most < 1e5 && (digits <= 4 || (most >= 1e-2 && digits <= 7))) return sign(v.toFixed(digits));
    return sign(v.toExponential(1 + Math.max(0, Math.ceil(Math.log10(most / step) - 1e-9))).replace('e+', 'e').replace(/\.?0*e/, 'e')).replace('e-', 'e−');
  });
}
