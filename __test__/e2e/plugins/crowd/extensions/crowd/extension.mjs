// So many tools that the CLI defers them.
import { joinSession } from '@github/copilot-sdk/extension';

const tool = (n) => ({ name: `crowd_${n}`, description: 'One of many.', parameters: { type: 'object', properties: {} }, skipPermission: true, handler: () => 'ok' });
await joinSession({ tools: Array.from({ length: 40 }, (_, n) => tool(n)) });
