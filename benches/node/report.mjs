// What a run prints and writes: tables in Markdown.

const UNITS = [[1000, 's', 1000], [1, 'ms', 1], [0, 'µs', 0.001]];

/** Milliseconds for people, with three digits that say something. */
export function duration(ms) {
  const [, unit, size] = UNITS.find(([from]) => ms >= from);
  return `${digits(ms / size)} ${unit}`;
}

export const ratio = (value) => `${digits(value)} ×`;

export const mebibytes = (bytes) => `${digits(bytes / 2 ** 20)} MiB`;

function digits(value) {
  const magnitude = Math.abs(value);
  if (magnitude >= 100) return value.toFixed(0);
  return value.toFixed(magnitude >= 10 ? 1 : 2);
}

/** A table in Markdown, its columns aligned for who reads the text. */
export function table(columns, rows) {
  const cells = [columns, ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, i) => Math.max(3, ...cells.map((row) => row[i].length)));
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  return [line(cells[0]), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...cells.slice(1).map(line)].join('\n');
}

/** The table of a comparison: the sides' times, and how many times as long as the first side the others took. */
export function comparison(sides) {
  const isPaired = sides.some(({ times }) => times !== undefined);
  const rows = sides.map(({ what, n, p10, p50, p90, times }) => [
    what, n, duration(p10), duration(p50), duration(p90), ...(isPaired ? [times === undefined ? '' : ratio(times)] : []),
  ]);
  return table(['', 'n', 'p10', 'p50', 'p90', ...(isPaired ? ['beside the first'] : [])], rows);
}

/** The table of the targets: whether what was measured stays `within` the limit, or reaches it `atLeast`. */
export function targetTable(targets) {
  const rows = targets.map(({ what, measured, atMost, atLeast, show }) => [
    what,
    atMost === undefined ? `≥ ${show(atLeast)}` : `≤ ${show(atMost)}`,
    show(measured),
    isMet({ measured, atMost, atLeast }) ? 'yes' : '**no**',
  ]);
  return table(['what', 'target', 'measured', 'met'], rows);
}

export function isMet({ measured, atMost = Infinity, atLeast = -Infinity }) {
  return measured <= atMost && measured >= atLeast;
}

/** The text of a template in which each `{{name}}` is a part. A part that the template does not name is an error. */
export function fill(template, parts) {
  const used = new Set();
  const text = template.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name) => {
    if (!Object.hasOwn(parts, name)) throw new Error(`the template names an unknown part: ${name}`);
    used.add(name);
    return parts[name];
  });
  const forgotten = Object.keys(parts).filter((name) => !used.has(name));
  if (forgotten.length > 0) throw new Error(`the template leaves out: ${forgotten.join(', ')}`);
  return text;
}
