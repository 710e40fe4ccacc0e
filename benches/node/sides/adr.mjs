#!/usr/bin/env node
// Stands in for the `adr` command where its cost matters: it loads the kinds of modules that such a command loads, and
// reads, validates and matches every record with them. Its answer has the shape of a check's report, in small.
//
// What the real one costs stands in docs/performance.md; the run says beside it what this one costs.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { Command } from 'commander';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import picomatch from 'picomatch';
import semver from 'semver';
import { parseDocument, stringify } from 'yaml';
import { z } from 'zod';

const strings = { type: 'array', items: { type: 'string' }, uniqueItems: true };
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['schemaVersion', 'id', 'title', 'status', 'date', 'deciders'],
  properties: {
    schemaVersion: { type: 'string' },
    id: { type: 'string', pattern: '^([0-9]{4,}|[0-9A-HJKMNP-TV-Z]{26})$' },
    title: { type: 'string', minLength: 1 },
    status: { enum: ['draft', 'proposed', 'accepted', 'rejected', 'superseded', 'deprecated'] },
    deciders: { ...strings, minItems: 1 },
    tags: strings,
    relatesTo: strings,
    affects: { type: 'array', items: { type: 'object', required: ['type', 'pattern'] } },
  },
};

const Record = z.looseObject({
  id: z.string(),
  title: z.string().min(1),
  status: z.enum(SCHEMA.properties.status.enum),
  affects: z.array(z.looseObject({ type: z.string(), pattern: z.string() })),
});

const Report = z.object({
  governing: z.array(z.object({ recordId: z.string(), title: z.string(), status: z.literal('accepted') })),
  findings: z.array(z.object({ path: z.string(), message: z.string() })),
  fingerprint: z.string().length(64),
});

const program = new Command('adr').version('0.8.0');
program
  .command('check')
  .option('--json')
  .option('--dir <dir>', 'where the records are', 'docs/adr')
  .argument('<files...>')
  .action((files, { dir }) => console.log(JSON.stringify(Report.parse(check(dir, files)))));
program.parse();

function check(dir, files) {
  const validate = new Ajv2020({ allErrors: true, formats: { date: true } }).compile(SCHEMA);
  const report = { governing: [], findings: [] };
  const fingerprint = createHash('sha256');
  for (const name of readdirSync(dir).sort()) {
    const path = join(dir, name);
    const [, front, body] = readFileSync(path, 'utf8').split(/^---$/m);
    const document = parseDocument(front);
    const raw = document.toJS();
    const { success, data: record } = Record.safeParse(raw);
    if (!success || !validate(raw) || !semver.valid(record.schemaVersion)) {
      report.findings.push({ path, message: JSON.stringify(validate.errors ?? document.errors) });
      continue;
    }
    fingerprint.update(stringify(record, { sortMapEntries: true }));
    if (titleOf(body) !== record.title) report.findings.push({ path, message: 'The title is not that of the text.' });
    const globs = record.affects.map(({ pattern }) => picomatch(pattern, { dot: false }));
    if (record.status === 'accepted' && files.some((file) => globs.some((isMatch) => isMatch(file)))) {
      report.governing.push({ recordId: record.id, title: record.title, status: record.status });
    }
  }
  return { ...report, fingerprint: fingerprint.digest('hex') };
}

/** The first heading of a text in Markdown. */
function titleOf(body) {
  const [heading] = fromMarkdown(body.trimStart().split('\n', 1)[0], { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;
  return heading.children[0].value;
}
