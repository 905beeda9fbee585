// Where a position of a scene's text is in its structure, also while the text is being typed and is no YAML yet: a scan of the
// text before it, of the part of YAML that scenes use.

// { path, key, word, from }: path of the mapping (names, '#' for items of a list); `key`: whether a key is expected there, else the
// value of the last name of the path; the word so far, and where it begins.
export function placeAt(text, position) {
  const scan = new Scan(text.slice(0, position));
  return scan.result();
}

class Scan {
  constructor(text) {
    Object.assign(this, { text, at: 0, blocks: [], flow: [], word: 0 });
    while (this.at < text.length) this.line();
  }

  // A line of blocks, or what follows of a flow that goes on over several lines.
  line() {
    const end = this.text.indexOf('\n', this.at), stop = end < 0 ? this.text.length : end;
    const start = this.at;
    this.at = stop + (end < 0 ? 0 : 1);
    this.last = end < 0;
    if (this.flow.length > 0) return this.scanFlow(start, stop);
    let column = 0;
    while (this.text[start + column] === ' ') column++;
    const rest = this.text.slice(start + column, stop);
    if (this.folded !== undefined) { // the lines of a text after | or >
      if (rest === '' || column > this.folded) return undefined;
      this.folded = undefined;
    }
    this.comment = this.last && rest.startsWith('#');
    if (rest.startsWith('#') || (rest === '' && !this.last)) return undefined;
    return this.block(start, column, stop);
  }

  block(start, indent, stop) {
    let column = indent;
    const rest = () => this.text.slice(start + column, stop);
    const isItem = () => /^-(\s|$)/.test(rest());
    while (this.blocks.length > 0) {
      const top = this.blocks[this.blocks.length - 1];
      const inside = top.item ? column > top.indent : column > top.indent || (column === top.indent && isItem());
      if (inside) break;
      this.blocks.pop();
    }
    while (isItem()) {
      this.blocks.push({ indent: column, item: true });
      column += 1 + /^-(\s*)/.exec(rest())[1].length;
    }
    this.word = start + column;
    this.valued = false;
    const key = /^("[^"]*"|'[^']*'|[^\s:{}[\],#][^:{}[\],#]*?)\s*:(\s+|$)/.exec(rest());
    if (!key) return this.scanFlow(start + column, stop);
    this.blocks.push({ indent: column, name: key[1].replace(/^["']|["']$/g, '') });
    column += key[0].length;
    this.valued = true;
    this.word = start + column;
    if (/^[|>][-+]?\s*(#.*)?$/.test(rest())) this.folded = this.blocks[this.blocks.length - 1].indent;
    return this.scanFlow(start + column, stop);
  }

  // Braces, brackets, keys and commas up to the end of a line.
  scanFlow(from, stop) {
    for (let i = from; i < stop; i++) {
      const c = this.text[i], top = this.flow[this.flow.length - 1];
      if (c === '#' && (i === from || /\s/.test(this.text[i - 1]))) {
        this.comment = this.last;
        return;
      }
      if (c === '"' || c === "'") {
        const close = this.text.indexOf(c, i + 1);
        if (close < 0 || close >= stop) return;
        i = close;
      } else if (c === '{' || c === '[') {
        this.flow.push({ list: c === '[', name: null });
        this.word = i + 1;
      } else if (c === '}' || c === ']') {
        this.flow.pop();
        this.word = i + 1;
      } else if (c === ',' && top) {
        top.name = null;
        this.word = i + 1;
      } else if (c === ':' && top && !top.list && (i + 1 >= this.text.length || /[\s{["']/.test(this.text[i + 1]))) {
        top.name = this.text.slice(this.word, i).trim().replace(/^["']|["']$/g, '');
        this.word = i + 1;
      }
    }
  }

  result() {
    const path = this.blocks.map(({ item, name }) => (item ? '#' : name)), top = this.flow[this.flow.length - 1];
    for (const { list, name } of this.flow) {
      if (list) path.push('#');
      else if (name !== null) path.push(name);
    }
    while (/\s/.test(this.text[this.word] ?? '') && this.word < this.text.length) this.word++;
    const key = top ? !top.list && top.name === null : !this.valued;
    return { path, key, word: this.text.slice(this.word), from: this.word, nothing: this.comment === true || (this.folded !== undefined && !top) };
  }
}

// The schemas that apply at a path: references resolved, alternatives side by side.
export function schemasAt(schema, path) {
  let now = expand(schema, schema);
  for (const step of path) {
    now = now.flatMap((node) => {
      const next = step === '#' ? node.items : node.properties?.[step] ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
      return next ? expand(schema, next) : [];
    });
  }
  return now;
}

function expand(root, node, depth = 0) {
  if (depth > 8) return [];
  if (node.$ref) {
    const target = node.$ref.replace(/^#\//, '').split('/').reduce((at, name) => at?.[name], root);
    return target ? [...expand(root, target, depth + 1)].map((n) => ({ description: node.description, ...n })) : [];
  }
  const choices = [...(node.oneOf ?? []), ...(node.anyOf ?? [])].filter((n) => n.type || n.$ref || n.enum || n.properties || n.oneOf);
  return [...(node.type || node.enum || node.properties || choices.length === 0 ? [node] : []), ...choices.flatMap((n) => expand(root, n, depth + 1))];
}

// What may be written at a position: [{ label, detail, apply }].
export function suggestionsAt(schema, text, position) {
  const place = placeAt(text, position);
  if (place.nothing) return { from: position, options: [] };
  const nodes = schemasAt(schema, place.path), found = new Map();
  const add = (label, detail, apply) => { if (!found.has(label)) found.set(label, { label, detail, apply }); };
  if (place.key) {
    for (const { properties = {} } of nodes) for (const [name, node] of Object.entries(properties)) add(name, node.description ?? expand(schema, node)[0]?.description ?? '', `${name}: `);
  } else {
    for (const node of nodes) {
      for (const value of node.enum ?? []) add(String(value), '', String(value));
      if (node.type === 'boolean') for (const value of ['true', 'false']) add(value, '', value);
    }
    if (takesNames(place.path) && place.path.at(-1) !== '#') for (const name of namesIn(text)) add(name, 'of this scene', name);
  }
  return { from: place.from, key: place.key, options: [...found.values()] };
}

const REFERENCES = new Set(['first', 'second', 'of', 'at', 'on', 'strand', 'body', 'probe', 'from', 'to', 'parent', 'child', 'cable', 'joint', 'from_body', 'to_body']);
const takesNames = (path) => REFERENCES.has(path.filter((step) => step !== '#').at(-1));

// Names that the scene gives, and ends of strands.
function namesIn(text) {
  const names = [...text.matchAll(/(?:^|[{,\s-])name:\s*["']?([\w.-]+)/g)].map(([, name]) => name), out = [];
  const strands = /^strands:[^]*?(?=^\S|(?![^]))/m.exec(text)?.[0] ?? '';
  for (const name of new Set(names)) {
    out.push(name);
    if (new RegExp(`name:\\s*["']?${name.replaceAll('.', '\\.')}\\b`).test(strands)) out.push(`${name}@start`, `${name}@middle`, `${name}@end`);
  }
  return out;
}

// The description of the key at a position, or null.
export function descriptionAt(schema, text, position) {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1), word = /[\w-]*$/.exec(text.slice(0, position))[0];
  const rest = /^[\w-]*/.exec(text.slice(position))[0], name = word + rest, end = position + rest.length;
  if (!name || !/^\s*:/.test(text.slice(end)) || !line) return null;
  const place = placeAt(text, position);
  if (!place.key) return null;
  const node = schemasAt(schema, place.path).map(({ properties }) => properties?.[name]).find(Boolean);
  const description = node && (node.description ?? expand(schema, node)[0]?.description);
  return description ? { from: position - word.length, to: end, name, description } : null;
}
