// Which npm runs.

/** The script of the npm that started this one: a program of that name need not be on PATH, or be one on Windows. */
export function npm() {
  const script = process.env.npm_execpath;
  if (script === undefined) throw new Error('Run this with `npm run`: it brings npm along.');
  return script;
}
