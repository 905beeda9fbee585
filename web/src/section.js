// Outlines of cross-sections: points (a, b) along the first and second director, with normals, and how
// far around (0 to 1). The seam is doubled, and so are corners, whose two sides have different normals.

export function outline(strand, segments) {
  const [radius, inner] = strand.radius, [width, height] = strand.size;
  switch (strand.section) {
    case 'rectangle': return { outer: rectangle(width / 2, height / 2), inner: null };
    case 'ellipse': return { outer: ellipse(width / 2, height / 2, segments), inner: null };
    case 'tube': return { outer: ellipse(radius, radius, segments), inner: ellipse(inner, inner, segments) };
    default: return { outer: ellipse(radius, radius, segments), inner: null };
  }
}

export function halfThickness(strand) {
  const flat = strand.section === 'rectangle' || strand.section === 'ellipse';
  return flat ? Math.max(...strand.size) / 2 : strand.radius[0];
}

// Starts opposite to where the stripe, in the middle of the texture, is to be: at the first director, or,
// where the section is wider that way, at the second, so that the stripe is on the wide side.
function ellipse(a, b, segments) {
  const points = [], start = a > b ? -Math.PI / 2 : -Math.PI;
  for (let i = 0; i <= segments; i++) {
    const angle = start + 2 * Math.PI * i / segments, c = Math.cos(angle), s = Math.sin(angle);
    const length = Math.hypot(c * b, s * a) || 1;
    points.push({ a: a * c, b: b * s, na: a && b ? c * b / length : c, nb: a && b ? s * a / length : s,
                  around: i / segments });
  }
  return points;
}

function rectangle(a, b) {
  if (a > b) return rectangle(b, a).map((p) => ({ a: -p.b, b: p.a, na: -p.nb, nb: p.na, around: p.around }));
  const corners = [[-a, 0], [-a, -b], [a, -b], [a, b], [-a, b], [-a, 0]];
  const normals = [[-1, 0], [0, -1], [1, 0], [0, 1], [-1, 0]];
  const around = [0, 0.1, 0.26, 0.74, 0.9, 1]; // the stripe takes the middle third of its side
  const points = [];
  for (let i = 0; i < 5; i++) {
    for (const j of [i, i + 1]) {
      points.push({ a: corners[j][0], b: corners[j][1], na: normals[i][0], nb: normals[i][1], around: around[j] });
    }
  }
  return points;
}
