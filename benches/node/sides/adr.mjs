#!/usr/bin/env node
// Stands in for the `adr` command where its cost matters: it loads the kinds of modules that such a command loads, and
// reads, validates and matches every record with them. Its answer has the shape of a check's report, in small.
//
// What the real one costs stands in docs/performance.md; the run says beside it what this one costs.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { Command } from 'commander';
import { load } from 'js-yaml';
import picomatch from 'picomatch';

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

const program = new Command('adr').version('0.8.0');
program
  .command('check')
  .option('--json')
  .option('--dir <dir>', 'where the records are', 'docs/adr')
  .argument('<files...>')
  .action((files, { dir }) => console.log(JSON.stringify(check(dir, files))));
program.parse();

function check(dir, files) {
  const validate = new Ajv2020({ allErrors: true, formats: { date: true } }).compile(SCHEMA);
  const report = { governing: [], findings: [] };
  for (const name of readdirSync(dir).sort()) {
    const path = join(dir, name);
    const record = load(readFileSync(path, 'utf8').split(/^---$/m)[1]);
    if (!validate(record)) {
      report.findings.push({ path, message: JSON.stringify(validate.errors) });
      continue;
    }
    const globs = record.affects.map(({ pattern }) => picomatch(pattern, { dot: false }));
    if (record.status === 'accepted' && files.some((file) => globs.some((isMatch) => isMatch(file)))) {
      report.governing.push({ recordId: record.id, title: record.title, status: record.status });
    }
  }
  return report;
}
