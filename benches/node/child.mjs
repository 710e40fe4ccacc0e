// Runs one bench in this process, so that none sees the memory of another: node --expose-gc child.mjs NAME. The parent
// sends what the bench needs, and is sent the results.
import { once } from 'node:events';
import { createRequire } from 'node:module';

const [context] = await once(process, 'message');
const native = createRequire(import.meta.url)(context.entry);
const { measure } = await import(`./benches/${process.argv[2]}.mjs`);
process.send(await measure({ ...context, native }), () => process.disconnect());
