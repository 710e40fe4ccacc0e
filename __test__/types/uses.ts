// Compiled, never run: what a user may and may not write.
import {
  AdrkitError,
  Hooks,
  Review,
  Tools,
  changedFiles,
  check,
  collectAndCheck,
  explain,
  hooksEnabled,
  isRecordId,
  killAll,
  lint,
  queue,
  resolveCli,
  run,
  validatePath,
  validateRevision,
} from '@adrkit/native';
import type {
  CheckReport,
  Decision,
  ErrorCode,
  HookOutput,
  MissingPart,
  PostToolUseInput,
  RejectionCode,
  ReviewSummary,
  RunResult,
  SessionStartInput,
  Snapshot,
  ToolDefinition,
  ToolFailureCode,
  ToolResult,
  Verdict,
} from '@adrkit/native';

const cwd = '/repository';
const { signal } = new AbortController();

export async function checks(): Promise<CheckReport> {
  const { exitCode, engine, report } = await check({ cwd, paths: ['src/a.ts'], engine: 'auto', signal });
  const passed: 0 | 1 = exitCode;
  const who: 'cli' | 'embedded' = engine;
  void [passed, who];
  await check({ cwd });
  await check({ cwd, base: 'main', dir: 'docs/adr', timeoutMs: 5000 });
  const { path, source } = await resolveCli({ cwd, env: { PATH: '/usr/bin' } });
  const chosen: 'env' | 'repository' | 'path' = source;
  void [path.length, chosen];
  // @ts-expect-error cwd is required
  await check({ paths: [] });
  // @ts-expect-error paths and base exclude each other
  await check({ cwd, paths: ['a'], base: 'main' });
  // @ts-expect-error no such engine
  await check({ cwd, engine: 'wasm' });
  // @ts-expect-error paths are strings
  await check({ cwd, paths: [1] });
  return report;
}

export async function others(): Promise<void> {
  const decisions: Decision[] = (await explain({ cwd, path: 'src/a.ts' })).report.governing;
  for (const decision of decisions) {
    const by: string | undefined = decision.supersededBy;
    const marks = decision.declaredBy?.map((d) => d.line + 1);
    void [by, marks];
  }
  // @ts-expect-error path is required
  await explain({ cwd });
  const checked: number = (await lint({ cwd })).report.checked;
  const state: string | undefined = (await queue({ cwd, asOf: '2026-01-31' })).report.items[0]?.slaState;
  const { files, base, label, skippedNonUtf8 } = await changedFiles({ cwd, base: 'HEAD~1' });
  const names: string[] = files;
  // @ts-expect-error it is null where HEAD alone was compared
  const compared: string = base;
  void [checked, state, names, compared, label, skippedNonUtf8 + 1];
}

export async function processes(): Promise<void> {
  const result: RunResult = await run('git', ['--version'], { cwd, env: { A: 'b', C: undefined }, maxOutputBytes: 1 });
  const text: string = result.stdout.toString('utf8');
  switch (result.outcome) {
    case 'exited':
    case 'signaled':
    case 'timed-out':
    case 'aborted':
    case 'output-too-large':
      break;
    default: {
      const none: never = result.outcome;
      void none;
    }
  }
  // @ts-expect-error null where it was ended by a signal
  const code: number = result.exitCode;
  // @ts-expect-error cwd is required
  await run('git', [], {});
  // @ts-expect-error arguments are a list
  await run('git', '--version', { cwd });
  const killed: number = killAll();
  void [text, code, killed];
}

export function verdicts(value: unknown): RejectionCode | undefined {
  const verdict: Verdict = validatePath(value);
  if (!verdict.ok) {
    const message: string = verdict.message;
    void message;
    return verdict.code;
  }
  // @ts-expect-error an accepted value has no code
  void verdict.code;
  const id: boolean = isRecordId(value);
  const revision = validateRevision(value);
  return id || revision.ok ? undefined : revision.code;
}

export function failures(error: unknown): ErrorCode | undefined {
  if (error instanceof AdrkitError) {
    // @ts-expect-error no such code
    if (error.code === 'nonsense') return undefined;
    // @ts-expect-error codes are read only
    error.code = 'internal';
    return error.code;
  }
  // @ts-expect-error only this package makes them
  void new AdrkitError('internal', 'text');
  return undefined;
}

/** A tool as the host's SDK has it. */
interface HostTool {
  name: string;
  description?: string;
  parameters?: Record<string, unknown>;
  skipPermission?: boolean;
  handler: (args: unknown, invocation: { sessionId: string; toolCallId: string; signal?: AbortSignal }) => Promise<unknown>;
}

export async function tools(): Promise<ToolFailureCode | undefined> {
  const mine = new Tools({ cwd, env: { ...process.env, ADRKIT_ENGINE: 'embedded' } });
  const joined: HostTool[] = mine.definitions().map((definition: ToolDefinition) => ({
    ...definition,
    handler: (args, invocation) => mine.call(definition.name, args, invocation),
  }));
  const onEvent: (event: { type: string }) => void = mine.contextChanged;
  onEvent({ type: 'session.idle' });
  const result: ToolResult = await mine.call('adr_check', { paths: ['a'] }, { signal, toolCallId: 'x', traceparent: undefined });
  // @ts-expect-error a signal is a signal
  await mine.call('adr_lint', {}, { signal: 'abort' });
  // @ts-expect-error it moves with the session, and only so
  mine.directory = '/';
  // @ts-expect-error an environment has texts
  void new Tools({ env: { A: 1 } });
  void [joined, new Tools(), new Tools({}), mine.directory.length];
  const code: ToolFailureCode = 'symlink-escape';
  // @ts-expect-error no function rejects with it
  const rejected: ErrorCode = code;
  return result.resultType === 'failure' ? code : (rejected ?? undefined);
}

export function hooks(start: SessionStartInput, edit: PostToolUseInput): HookOutput | undefined {
  const when: number = start.timestamp.getTime() + edit.timestamp.getTime();
  // @ts-expect-error what a model chose has no type
  void edit.toolArgs.path;
  return when > 0 ? { additionalContext: edit.toolName } : undefined;
}

/** The hooks of a session as the host's SDK has them. */
interface HostHooks {
  onSessionStart?: (input: SessionStartInput, invocation: { sessionId: string }) => Promise<{ additionalContext?: string } | undefined>;
  onPostToolUse?: (input: PostToolUseInput, invocation: { sessionId: string }) => Promise<{ additionalContext?: string } | undefined>;
}

export async function joined(dir: string): Promise<HostHooks> {
  const mine = new Hooks({
    env: { ...process.env, ADRKIT_DIR: undefined },
    log: (line) => line.length,
    refresh: async (where, { signal: ended }) => {
      const { changes, check: checked }: Snapshot = await collectAndCheck({ cwd: where, base: 'main', engine: 'cli', signal: ended });
      if (changes.ok && checked.ok) {
        const files: string[] = changes.files;
        const passed: 0 | 1 = checked.exitCode;
        void [files, passed, checked.report.governing];
      } else if (!checked.ok) {
        const missing: MissingPart = checked;
        void missing.note;
        // @ts-expect-error what is missing has no report
        void checked.report;
      }
    },
  });
  mine.panelOpened(dir);
  mine.panelClosed(dir);
  // @ts-expect-error a panel shows a directory
  mine.panelOpened();
  // @ts-expect-error a log is a function
  void new Hooks({ log: 'stderr' });
  // @ts-expect-error cwd is required
  void collectAndCheck({});
  void [new Hooks(), new Hooks({})];
  const { onSessionStart, onPostToolUse } = mine;
  if (!hooksEnabled() || !hooksEnabled({ ADRKIT_HOOKS: 'off' })) mine.dispose();
  return { onSessionStart, onPostToolUse };
}

// @ts-expect-error a hook decides nothing
export const gate: HookOutput = { additionalContext: '', permissionDecision: 'allow' };

export async function review(nonce: string): Promise<ReviewSummary> {
  const mine = new Review({ cwd, base: 'main', dir: 'docs/adr', engine: 'auto', env: { ...process.env } });
  await mine.refresh();
  await mine.refresh({ trigger: 'edit', signal });
  const page: string = mine.document({ nonce, base: '/token/' });
  const { version, parts } = mine.fragments();
  const ids: string[] = parts.map((part) => part.id + part.html);
  const summary: ReviewSummary = mine.summary();
  const open: string | undefined = summary.proposals?.listed[0]?.status;
  const accepted: string[] = summary.governing?.listed ?? [];
  void [page, version === mine.version, mine.directory.length, ids, open, accepted, JSON.stringify(summary)];
  // @ts-expect-error null where nothing is known
  void summary.changes.files;
  // @ts-expect-error no such trigger
  await mine.refresh({ trigger: 'timer' });
  // @ts-expect-error a page has a place
  mine.document({ nonce });
  // @ts-expect-error it reviews one directory
  mine.directory = '/';
  // @ts-expect-error cwd is required
  void new Review({});
  mine.dispose();
  return summary;
}
