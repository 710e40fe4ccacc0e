// Checks of many paths: a tool call, and a whole review, in a process that is warm and in one that begins.
import { env } from '../sides/host.mjs';
import { floor } from '../sides/processes.mjs';
import * as javascript from '../sides/javascript.mjs';
import { interleave, pairedRatio, summary, timed } from '../measure.mjs';

const CALL = 200;
const REVIEW = 3000;

/** What a fresh process does: it gets the package, the directory, and the paths as arguments. */
const COLD = `
  const [native, cwd, ...paths] = process.argv.slice(1);
  require(native).check({ cwd, paths, engine: 'embedded' }).then(({ report }) => console.log(report.governing.length));
`;

export async function measure({ native: { Tools, check }, entry, programs, small: { root, files }, quick }) {
  const [few, many] = [files.slice(0, CALL), files.slice(0, REVIEW)];
  const tools = new Tools({ cwd: root, env });
  const call = async () => {
    const { resultType } = await tools.call('adr_check', { paths: few });
    if (resultType !== 'success') throw new Error('adr_check failed');
  };
  const review = () => check({ cwd: root, paths: many, engine: 'embedded' });
  await review();
  const warm = await interleave({ call: () => timed(call), review: () => timed(review) }, { rounds: quick ? 5 : 100 });
  const beside = await interleave(
    { call: () => timed(call), execFile: () => timed(() => javascript.check(root, few)) },
    { rounds: quick ? 2 : 10 },
  );
  const starter = floor(programs.floor);
  const run = (file, args) => starter.run({ file, args, cwd: root, env });
  const cold = await interleave(
    {
      addon: () => run(process.execPath, ['-e', COLD, '--', entry, root, ...many]),
      program: () => run(programs.adrNative, ['check', '--json', '--dir', 'docs/adr', ...many]),
      node: () => run(process.execPath, ['-e', '0']),
      standIn: () => run(process.execPath, [javascript.adr, 'check', '--json', '--dir', 'docs/adr', ...many]),
    },
    { rounds: quick ? 2 : 15 },
  );
  const standIn = await interleave(
    {
      node: () => run(process.execPath, ['-e', '0']),
      version: () => run(process.execPath, [javascript.adr, '--version']),
      check: () => run(process.execPath, [javascript.adr, 'check', '--json', '--dir', 'docs/adr', few[0]]),
    },
    { rounds: quick ? 2 : 15 },
  );
  starter.close();
  const besideAddon = (side) => ({ ...summary(cold[side]), times: pairedRatio(cold[side], cold.addon) });
  const [called, reviewed, addon, program] = [warm.call, warm.review, cold.addon, cold.program].map(summary);
  return {
    comparisons: [
      {
        title: 'Checks in a warm process, 500 records',
        sides: [
          { what: `\`adr_check\` of ${CALL} paths`, ...called },
          { what: `check of ${REVIEW} paths`, ...reviewed },
        ],
      },
      {
        title: `\`adr_check\` of ${CALL} paths, in turn with \`execFile\` of the command`,
        sides: [
          { what: 'in process', ...summary(beside.call) },
          {
            what: '`execFile`, stand-in for `adr`',
            ...summary(beside.execFile),
            times: pairedRatio(beside.execFile, beside.call),
          },
        ],
      },
      {
        title: `A whole process that checks ${REVIEW} paths, 500 records`,
        sides: [
          { what: 'Node with the addon', ...addon },
          { what: '`adr-native`', ...besideAddon('program') },
          { what: 'Node that does nothing', ...besideAddon('node') },
          { what: 'stand-in for `adr`', ...besideAddon('standIn') },
        ],
      },
      {
        title: 'What the stand-in for `adr` costs',
        sides: [
          { what: 'Node that does nothing', ...summary(standIn.node) },
          {
            what: 'start, and loading of its modules (`--version`)',
            ...summary(standIn.version),
            times: pairedRatio(standIn.version, standIn.node),
          },
          { what: 'check of one path, 500 records', ...summary(standIn.check), times: pairedRatio(standIn.check, standIn.node) },
        ],
      },
    ],
    targets: [
      { what: `\`adr_check\` of ${CALL} paths`, unit: 'ms', measured: called.p50, atMost: 5 },
      { what: `check of ${REVIEW} paths, warm`, unit: 'ms', measured: reviewed.p50, atMost: 60 },
      { what: `check of ${REVIEW} paths, whole process of Node`, unit: 'ms', measured: addon.p50, atMost: 250 },
      { what: `check of ${REVIEW} paths, whole process of \`adr-native\``, unit: 'ms', measured: program.p50, atMost: 250 },
    ],
  };
}
