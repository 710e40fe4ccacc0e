// What TypeScript makes of the package where it is imported.
import { AdrkitError, check, Hooks, Tools } from '@adrkit/native';

const { report } = await check({ cwd: '/', paths: ['a'], signal: AbortSignal.timeout(1) });
const ids: string[] = report.governing.map((decision) => decision.recordId);
const hooks: Hooks = new Hooks({ log: (line: string) => ids.push(line) });
const names: string[] = new Tools().definitions().map(({ name }) => name);

// @ts-expect-error: an option that there is not
await check({ cwd: '/', pathz: names });

export const isOurs = (error: unknown): boolean => error instanceof AdrkitError && error.code === 'not-work-tree';
export { hooks };
