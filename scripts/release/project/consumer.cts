// What TypeScript makes of the package where it is required.
import adrkit = require('@adrkit/native');

export const ran: Promise<adrkit.RunResult> = adrkit.run('/bin/true', [], { cwd: '/' });
export const verdict: adrkit.Verdict = adrkit.validatePath('a');

// @ts-expect-error: a function that there is not
adrkit.write();
