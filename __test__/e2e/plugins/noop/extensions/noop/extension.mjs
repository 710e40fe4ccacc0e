// Does nothing, with one tool and the two hooks: what any extension costs.
import { joinSession } from '@github/copilot-sdk/extension';

await joinSession({
  tools: [{ name: 'noop', description: 'Does nothing.', parameters: { type: 'object', properties: {} }, skipPermission: true, handler: () => '{}' }],
  hooks: { onSessionStart: () => undefined, onPostToolUse: () => undefined },
});
