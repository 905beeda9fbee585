// Numbers for people.

export function tidy(value, digits = 3) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1).replace('e+', 'e').replace('-', '−').replace('e-', 'e−');
  return String(Number(value.toPrecision(digits))).replace('-', '−');
}

// Labels of an axis at equal distances: as many digits as tell neighbours apart, the same in all of them.
export function axisLabels(values) {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0]) || 1;
  const most = Math.max(...values.map(Math.abs)), digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const sign = (text) => text.replace('-', '−');
  return values.map((v) => {
    if (Math.abs(v) < 1e-6 * step) return '0';
    if (most < 1e5 && digits <= 4) return sign(v.toFixed(digits));
    return sign(v.toExponential(Math.max(0, Math.ceil(Math.log10(most / step) - 1e-9))).replace('e+', 'e').replace(/\.?0*e/, 'e')).replace('e-', 'e−');
  });
}
