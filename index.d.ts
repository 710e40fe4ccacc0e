/**
 * Which architecture decision records (ADRs) govern a file, and supervised processes.
 *
 * Every asynchronous function works off the event loop. While its promise is pending Node stays alive; loading the
 * package starts nothing. Nothing is ever written to stdout.
 *
 * Failures reject with an {@link AdrkitError}: a stable `code` and a fixed sentence, which never repeats an argument
 * or repository text (`usage-error` alone carries the words of the `adr` command).
 */

/// <reference types="node" />

// ---------------------------------------------------------------------------------------------------- failures

/** Why a path or a revision is refused; see {@link validatePath} and {@link validateRevision}. */
export type RejectionCode =
  /** Not a string, or an empty one. */
  | 'path-empty'
  /** More than 1024 UTF-16 code units. */
  | 'path-too-long'
  /** Half of a surrogate pair: it names no file. */
  | 'path-not-unicode'
  /** A C0 or C1 control, DEL, or a line or paragraph separator. */
  | 'path-control-character'
  /** A character that a reader cannot see, or that reorders what is seen. */
  | 'path-hidden-character'
  /** Would be read as an option. */
  | 'path-leading-dash'
  /** Absolute on some system: POSIX, Windows drive, UNC or device path. */
  | 'path-absolute'
  /** Has a `..` segment. */
  | 'path-parent-segment'
  /** Has a `:`, which names a drive or an alternate data stream on Windows. */
  | 'path-colon'
  /** Has a segment that Windows reads as a device, such as `nul` or `con.txt`. */
  | 'path-device-name'
  /** Has a segment from which Windows strips the end. */
  | 'path-trailing-dot-or-space'
  /** The list of paths is no list, or has no entry. */
  | 'paths-empty'
  /** The list has more than 200 entries. */
  | 'paths-too-many'
  /** Paths and a base were both given. */
  | 'paths-with-base'
  /** Not a string, or an empty one. */
  | 'revision-empty'
  /** More than 256 characters. */
  | 'revision-too-long'
  /** Begins with something that is an option, a negation, or no name. */
  | 'revision-start'
  /** Holds a character outside the set. */
  | 'revision-character'
  /** Names a range or a set of commits. */
  | 'revision-range';

/** The stable codes of {@link AdrkitError}. A later version may add to them. */
export type ErrorCode =
  /** An argument is missing, of the wrong type, or out of its range; the message names it and its rule. */
  | 'invalid-argument'
  /** `engine`, or `ADRKIT_ENGINE`, is none of `auto`, `cli`, `embedded`. */
  | 'unknown-engine'
  /** The engine that was asked for is not there. */
  | 'engine-unavailable'
  /** The executable does not exist. */
  | 'command-not-found'
  /** The executable exists but the system refuses to run it. */
  | 'command-not-executable'
  /** Arguments and environment exceed what the system takes on one command line. */
  | 'command-too-long'
  /** The working directory does not exist (any more), or is no directory. */
  | 'working-directory-gone'
  /** The process or the system has no file descriptor left. */
  | 'too-many-open-files'
  /** The process could not be started for another reason. */
  | 'spawn-failed'
  /** The call was aborted: by its signal, by {@link killAll}, or because its host ends. */
  | 'aborted'
  /** The deadline passed. */
  | 'timed-out'
  /** A command printed more than the limit. */
  | 'output-too-large'
  /** A command was ended by a signal that was not ours. */
  | 'killed-by-signal'
  /** The directory is not inside a git work tree; a bare repository is not one either. */
  | 'not-work-tree'
  /** Git refuses the repository because another user owns it (`safe.directory`). */
  | 'git-unsafe-directory'
  /** Neither the given base nor HEAD could be compared with the work tree. */
  | 'base-undiffable'
  /** Git is not installed, or does not start. */
  | 'git-unavailable'
  /** Git started but failed in a way that has no code of its own. */
  | 'git-failed'
  /** `ADRKIT_CLI` is set, and names nothing that can be run. */
  | 'cli-unresolved'
  /** There is no `adr` command: none is named, and none is on `PATH`. */
  | 'cli-not-found'
  /** The `adr` command that was found is another program of that name. */
  | 'cli-foreign'
  /** The `adr` command can only be run through cmd.exe, and an argument has a character that cmd.exe expands. */
  | 'argument-expandable'
  /** The usage error of the `adr` command (its exit code 2) in its own words: at most 2 KiB, without stack lines. */
  | 'usage-error'
  /** The `adr` command ended without a report. */
  | 'no-report'
  /** The corpus could not be read for a reason other than being absent. */
  | 'corpus-unreadable'
  /** There is no binary for this platform where it is looked for. Thrown when the package is loaded, as the next two. */
  | 'native-missing'
  /** The system does not load the binary that is there; `cause` is its own error. */
  | 'native-unloadable'
  /** The binary is of another version than the package. */
  | 'native-version'
  /** A defect of this package. */
  | 'internal'
  | RejectionCode;

/** What the functions of this package throw and reject with. */
export class AdrkitError extends Error {
  private constructor();
  readonly name: 'AdrkitError';
  /** What happened, stable across versions. */
  readonly code: ErrorCode;
}

// ------------------------------------------------------------------------------------------------------ checks

/** Which engine is to answer: the `adr` command, the one in this package, or the command where there is one. */
export type EngineChoice = 'auto' | 'cli' | 'embedded';

/** What every question about a repository takes. */
export interface CallOptions {
  /**
   * The directory that paths and `dir` are relative to. It must be absolute: the directory of a host's process is
   * often not the one its session works in.
   */
  cwd: string;
  /** The deadline of the call, in milliseconds: above 0, at most 2147483647. 30000 when absent. */
  timeoutMs?: number | undefined;
  /** Aborts the call: it rejects with `aborted`, and its processes are ended. */
  signal?: AbortSignal | undefined;
}

/** What every check takes. */
export interface CheckCallOptions extends CallOptions {
  /** The directory of the records, relative to `cwd`. `docs/adr` when absent. */
  dir?: string | undefined;
  /** The engine. When absent, `ADRKIT_ENGINE` says, and when that is absent too, `auto`. */
  engine?: EngineChoice | undefined;
}

/** The options of {@link check}: `paths`, or `base`, or neither. */
export type CheckOptions = CheckCallOptions &
  (
    | {
        /** The files to ask about, relative to `cwd`, with `/`. Files that do not exist can be governed too. */
        paths: string[];
        base?: undefined;
      }
    | {
        paths?: undefined;
        /** Asks about what has changed since this revision; see {@link changedFiles}. */
        base?: string | undefined;
      }
  );

/** A report and who made it. */
export interface Answer<Report> {
  /** 0, or 1 where the report holds something that fails a lint. */
  exitCode: 0 | 1;
  /** Who answered. */
  engine: 'cli' | 'embedded';
  report: Report;
}

export type CheckResult = Answer<CheckReport>;
export type ExplainResult = Answer<ExplainReport>;
export type LintResult = Answer<LintReport>;
export type QueueResult = Answer<QueueReport>;

/**
 * Which decisions govern the paths. Without `paths` it asks about what {@link changedFiles} finds.
 *
 * `exitCode` is 1 where a record among the paths has an error.
 */
export function check(options: CheckOptions): Promise<CheckResult>;

/**
 * Which decisions govern one path, and which markers it holds.
 *
 * `exitCode` is 1 where any record of the corpus has an error; the decisions are then empty.
 */
export function explain(
  options: CheckCallOptions & {
    /** The file, relative to `cwd`, with `/`. */
    path: string;
  },
): Promise<ExplainResult>;

/** What is wrong with the records. `exitCode` is 1 where a finding is an error. */
export function lint(options: CheckCallOptions): Promise<LintResult>;

/**
 * The proposed records that wait for a decision, most urgent first. `exitCode` is 1 where a file is no valid record.
 */
export function queue(
  options: CheckCallOptions & {
    /** The date on which deadlines are judged: `YYYY-MM-DD`, or a time with a zone. Today's date in UTC when absent. */
    asOf?: string | undefined;
  },
): Promise<QueueResult>;

/** The `adr` command that was found. */
export interface ResolvedCli {
  /** The file that was chosen: absolute, links not followed. It is not started, so it may still be another program. */
  path: string;
  /** Who chose it: `$ADRKIT_CLI`; `node_modules/.bin` where `ADRKIT_ALLOW_REPO_CLI=1` allows that; or `PATH`. */
  source: 'env' | 'repository' | 'path';
}

/**
 * Which `adr` command the engine `cli` would ask: `$ADRKIT_CLI`, else `./node_modules/.bin/adr` only with
 * `ADRKIT_ALLOW_REPO_CLI=1`, else `adr` on `PATH`. Entries of `PATH` that are relative, or lie in the work tree, are
 * skipped without that same variable.
 *
 * Rejects with `cli-unresolved` where `$ADRKIT_CLI` names nothing that can be run, with `cli-not-found` where there is
 * none, with `working-directory-gone`, or with a code that every call shares.
 */
export function resolveCli(
  options: CallOptions & {
    /** The environment to look in. `process.env` when absent. */
    env?: Record<string, string | undefined> | undefined;
  },
): Promise<ResolvedCli>;

/** What has changed around `cwd`. */
export interface ChangedFiles {
  /** Distinct paths, relative to `cwd`, with `/`, in order of UTF-16 code units. */
  files: string[];
  /** The base that was compared with, as it was given; null where HEAD alone was compared. */
  base: string | null;
  /** What was compared, such as `origin/main...HEAD`. */
  label: string;
  /** How many names were left out because they are not UTF-8. */
  skippedNonUtf8: number;
}

/**
 * The union of what the range since `base`, the work tree and the index say has changed, untracked files that are not
 * ignored included.
 *
 * Rejects with `not-work-tree`, `git-unsafe-directory`, `base-undiffable` (which covers a base that is refused by
 * {@link validateRevision}), `git-unavailable`, `git-failed`, or a code that every call shares.
 */
export function changedFiles(
  options: CallOptions & {
    /** The revision to compare with. `origin/main` when absent, and HEAD where there is no `origin/main`. */
    base?: string | undefined;
  },
): Promise<ChangedFiles>;

/** Why a part of a {@link Snapshot} is not there. */
export interface MissingPart {
  ok: false;
  /** Such as `not-work-tree`, `aborted`, `timed-out`. `changes-unknown` where nothing could be asked about. */
  code: ErrorCode | 'changes-unknown';
  /** The fixed sentence of the code. The words of the `adr` command are not in it. */
  note: string;
}

/** A part of a {@link Snapshot}: what was found out, or why it was not. */
export type SnapshotPart<Found> = ({ ok: true } & Found) | MissingPart;

/** What a review panel shows. Each part stands for itself: one that failed leaves the others as they are. */
export interface Snapshot {
  /** What has changed. */
  changes: SnapshotPart<ChangedFiles>;
  /** Which decisions govern what has changed. */
  check: SnapshotPart<CheckResult>;
  /** What is wrong with the records. */
  lint: SnapshotPart<LintResult>;
  /** The proposed records that wait for a decision, judged on today's date in UTC. */
  queue: SnapshotPart<QueueResult>;
}

/**
 * Collects what has changed and checks it, and reads the lint and the queue of the records.
 *
 * It is meant for a panel that refreshes by itself: together with all {@link Hooks} of this thread it runs at most two
 * processes at once, and waits for them where it must. `timeoutMs` is the deadline of each question, from its start;
 * that of the queue is 10000 at most, and so is that of each git process.
 *
 * Whatever goes wrong is told by the parts, an abort too: what had been found by then stands. It rejects only with
 * `invalid-argument` and `unknown-engine`, and with `internal`.
 */
export function collectAndCheck(
  options: CheckCallOptions & {
    /** The revision to compare with; see {@link changedFiles}. */
    base?: string | undefined;
  },
): Promise<Snapshot>;

// --------------------------------------------------------------------------------------------------- processes

/** The options of {@link run}. */
export interface RunOptions {
  /** The working directory. It must be absolute. */
  cwd: string;
  /** The whole environment of the process; values that are undefined are left out. `process.env` when absent. */
  env?: Record<string, string | undefined> | undefined;
  /** From the start of the process to its end, in milliseconds: above 0, at most 2147483647. 30000 when absent. */
  timeoutMs?: number | undefined;
  /** What is kept of each of stdout and stderr, in bytes: 1 to 67108864 (64 MiB), the number when absent. */
  maxOutputBytes?: number | undefined;
  /** Ends the process: the result is then `aborted`. */
  signal?: AbortSignal | undefined;
}

/** How a process ended and what it wrote. */
export interface RunResult {
  /**
   * - `exited`: by itself; `exitCode` is set.
   * - `signaled`: by a signal that was not ours; `signal` is set.
   * - `timed-out`, `aborted`, `output-too-large`: we ended it, and everything in its process group.
   */
  outcome: 'exited' | 'signaled' | 'timed-out' | 'aborted' | 'output-too-large';
  /** The exit code, where there is one. */
  exitCode: number | null;
  /** The name of the signal that ended it, such as `SIGTERM`, whoever sent it; null where it has none. */
  signal: string | null;
  /** What it wrote to stdout, up to the limit. */
  stdout: Buffer;
  /** What it wrote to stderr, up to the limit. */
  stderr: Buffer;
  /** Whether output is missing: dropped past the limit, or a process that was left behind still holds a pipe. */
  outputIncomplete: boolean;
  /** From start to end, in milliseconds. */
  durationMs: number;
}

/**
 * Runs a process to its end, in a process group (on Windows, a job) of its own, with nothing on stdin.
 *
 * The group is ended past the deadline, when the signal is aborted, when more is written than is kept, and with the
 * host, however that ends, and when the worker that called ends. A process that leaves its group, and one that is
 * younger than 10 ms when its host dies without a word (SIGKILL, an abort, a crash), cannot be seen to on POSIX: there
 * a `/bin/sh` in the group, `adrkit-watcher`, ends the group then. It comes after 10 ms and goes with the group.
 *
 * An abort never rejects, not even one before the call: the result's `outcome` is `aborted`, with nothing in it where
 * the process was not started. What rejects is an invalid argument, and a process that cannot start:
 * `command-not-found`, `command-not-executable`, `command-too-long`, `working-directory-gone`, `too-many-open-files`
 * or `spawn-failed`.
 *
 * @param file the executable: absolute, or a name that is looked up on the `PATH` of the process's environment.
 * @param args its arguments, each passed as it is; there is no shell.
 */
export function run(file: string, args: string[], options: RunOptions): Promise<RunResult>;

/**
 * Ends every live process group that this package has started in this process, in workers too, at once and without a
 * grace. The calls of this thread that are in flight are aborted.
 *
 * @returns how many groups there were.
 */
export function killAll(): number;

// ---------------------------------------------------------------------------------------------------- verdicts

/** Whether a value keeps the rules. It never echoes the value. */
export type Verdict =
  | { ok: true }
  | {
      ok: false;
      code: RejectionCode;
      /** A fixed sentence that states the rule. */
      message: string;
    };

/**
 * Judges a path that an untrusted party, such as a model, chose: relative to the repository, at most 1024 UTF-16 code
 * units. The rules of every platform hold on every platform, and nothing is opened.
 */
export function validatePath(path: unknown): Verdict;

/**
 * Judges a revision that an untrusted party chose: a name of one commit, at most 256 ASCII characters. Whether it
 * exists is git's to say.
 */
export function validateRevision(revision: unknown): Verdict;

/** Whether a value is a record's own id: four or more ASCII digits, or a ULID. */
export function isRecordId(id: unknown): boolean;

// ----------------------------------------------------------------------------------------------------- reports

/** How bad a {@link Finding} is. Only `error` changes an exit code. */
export type Severity = 'error' | 'warn' | 'info';

/** The status of a record. */
export type Status = 'draft' | 'proposed' | 'accepted' | 'rejected' | 'superseded' | 'deprecated';

/** One observation about a record, a matcher or a marker. */
export interface Finding {
  /** The stable rule id, such as `required-field`. */
  rule: string;
  severity: Severity;
  /** A sentence for people; not part of the contract. It may quote the repository. */
  message: string;
  /** The file it is about, relative to `cwd`. */
  path?: string;
  /** The raw id of the record. */
  id?: string;
  /** The field, as dotted path segments. */
  field?: string;
  /** The matcher's pattern or the marker's reference. */
  pattern?: string;
}

/** A matcher of a record's `affects` that fired. */
export interface FiredMatcher {
  /** The matcher's type; only `path` can fire. */
  type: string;
  pattern: string;
}

/** An `@adr` marker that names a valid record. */
export interface Declaration {
  /** The file that holds the marker. */
  path: string;
  /** Its line, from 1. */
  line: number;
  /** The reference as written. */
  ref: string;
}

/** A decision and why it matched. */
export interface Decision {
  recordId: string;
  /** Repository text. */
  title: string;
  status: Status;
  /** `governing` for accepted, `activeProposals` for draft and proposed, `history` for the rest. */
  bucket: 'governing' | 'activeProposals' | 'history';
  /** The record that replaces it. */
  supersededBy?: string;
  /** The distinct matchers that fired. */
  firedMatchers: FiredMatcher[];
  /** The markers that name it; absent where none does. */
  declaredBy?: Declaration[];
}

/** What a check's search for `@adr` markers saw. */
export interface MarkerScan {
  /** Distinct files asked about. */
  totalCandidates: number;
  /** How many are looked at: 3000. */
  limit: number;
  /** How many of each state; `truncated` ones count as `scanned` too. */
  counts: Record<'scanned' | 'absent' | 'unreadable' | 'out-of-tree' | 'truncated' | 'skipped', number>;
  /** Files that do not exist. */
  absentPaths: string[];
  /** Files behind a symlink, no regular files, or not readable. */
  unreadablePaths: string[];
  /** Paths that lead out of `cwd`; never opened. */
  outOfTreePaths: string[];
  /** Files of which only the first 8 KiB were searched. */
  truncatedPaths: string[];
  /** Files past the limit. */
  skippedPaths: string[];
}

/** The report of {@link check}. */
export interface CheckReport {
  /** The files that were asked about, with `/`, distinct, in order of UTF-16 code units. */
  changedFiles: string[];
  /** Every decision that matches, whatever its status. */
  governedBy: Decision[];
  /** The accepted ones. */
  governing: Decision[];
  /** The draft and proposed ones. */
  activeProposals: Decision[];
  /** The rejected, superseded and deprecated ones. */
  history: Decision[];
  /** Those of the files that are records of the corpus. */
  changedRecords: string[];
  /** About matchers, markers and changed records. */
  findings: Finding[];
  markerScan: MarkerScan;
  /** False where a changed record has an error. */
  ok: boolean;
}

/** The markers of one file. */
export interface FileMarkers {
  state: 'scanned' | 'absent' | 'unreadable' | 'out-of-tree';
  /** How much of a file is searched, in bytes. */
  windowBytes: number;
  /** Bytes searched, where scanned. */
  scannedBytes?: number;
  /** The file's size in bytes, where scanned. */
  fileBytes?: number;
  /** The file is longer than the window. */
  truncated: boolean;
  /** The references in file order, duplicates and dangling ones included; lines from 1. */
  declared: { ref: string; line: number }[];
}

/** The report of {@link explain}. */
export interface ExplainReport {
  /** The path as given. */
  path: string;
  /** Every decision that matches; empty where any record of the corpus has an error. */
  governedBy: Decision[];
  governing: Decision[];
  activeProposals: Decision[];
  history: Decision[];
  markers: FileMarkers;
  /** About matchers and markers; where a record has an error, all findings of a lint. */
  findings: Finding[];
}

/** The report of {@link lint}. */
export interface LintReport {
  /** Files read or tried. */
  checked: number;
  findings: Finding[];
}

/** An observation about an item of the queue. */
export interface ItemFinding {
  /** The stable code, such as `item.tier-absent`. */
  code: string;
  severity: Severity;
  message: string;
}

/** An observation about a file that is no valid record. */
export interface CorpusFinding {
  sourcePath: string;
  /** The stable code, such as `corpus.parse-error`. */
  code: string;
  severity: Severity;
  message: string;
}

/** A proposed record that waits for a decision. Times are UTC, ISO 8601 with milliseconds; dates `YYYY-MM-DD`. */
export interface QueueItem {
  id: string;
  /** Repository text. */
  title: string;
  /** Its file, relative to `cwd`. */
  sourcePath: string;
  tier: 'auto' | 'async' | 'arb' | null;
  /** The tier in words. */
  tierLabel: string | null;
  queuedAt: string | null;
  /** Days from queueing to the deadline. */
  slaDays: number | null;
  /** The date given by the record. */
  reviewBy: string | null;
  slaState: 'overdue' | 'escalated' | 'due' | 'within-sla' | 'missing-sla' | 'not-queued' | 'decided';
  /** The date by which to decide. */
  deadlineDate: string | null;
  /** The deciders. */
  routingTargets: string[];
  /** How many approvals are needed. */
  quorum: number | null;
  approvalCount: number;
  unresolvedObjectionCount: number;
  resolvedObjectionCount: number;
  escalatedAt: string | null;
  decidedAt: string | null;
  itemFindings: ItemFinding[];
}

/** The report of {@link queue}. */
export interface QueueReport {
  /** The version of this shape. */
  version: '1';
  /** The date on which deadlines are judged, `YYYY-MM-DD`. */
  asOf: string;
  /** SHA-256 of the canonical corpus, lower-case hex. */
  corpusFingerprint: string;
  totalItems: number;
  totalCorpusFindings: number;
  /** Items with at least one finding. */
  itemsWithFindings: number;
  items: QueueItem[];
  /** Files that are no valid records. */
  corpusFindings: CorpusFinding[];
}

// ------------------------------------------------------------------------- the tools of GitHub Copilot CLI (1.0.102)

/** The codes in the text of a failed tool call; see {@link ToolResult}. A later version may add to them. */
export type ToolFailureCode =
  /** There is no tool of that name. */
  | 'unknown-tool'
  /** The arguments are nothing that JSON can hold, or more than 1 MiB of it. */
  | 'arguments-unreadable'
  /** The arguments are no object. */
  | 'arguments-not-object'
  /** An argument that the tool does not have. */
  | 'unknown-argument'
  /** The corpus directory leads out of the session's directory through a symbolic link. */
  | 'symlink-escape'
  | ErrorCode;

/** A tool as `joinSession` takes it, but for its handler. */
export interface ToolDefinition {
  name: 'adr_check' | 'adr_explain' | 'adr_lint';
  /** For a model. */
  description: string;
  /** A JSON Schema of an object. It states every limit; that it is kept is seen to by {@link Tools.call}. */
  parameters: Record<string, unknown>;
  /** The tools only read, and no argument picks what is run: a prompt for each call would train blind consent. */
  skipPermission: true;
}

/** The options of {@link Tools}. */
export interface ToolsOptions {
  /** Where the session starts. It must be absolute. `process.cwd()` when absent. */
  cwd?: string | undefined;
  /**
   * Where `ADRKIT_CLI`, `ADRKIT_ENGINE`, `ADRKIT_DIR` and `PATH` are looked up, and the whole environment of the
   * processes; values that are undefined are left out. `process.env` as it is now when absent.
   */
  env?: Record<string, string | undefined> | undefined;
}

/**
 * The options of {@link Tools.call}. Those other than `signal` go into the log and nowhere else; what is absent, not
 * well formed or too long is left out.
 */
export interface ToolCallOptions {
  /** Aborts the call: it resolves to a failure with the code `aborted`, and its processes are ended. */
  signal?: AbortSignal | undefined;
  /** The session, up to 256 visible ASCII characters. */
  sessionId?: string | undefined;
  /** The call, up to 256 visible ASCII characters. */
  toolCallId?: string | undefined;
  /** W3C Trace Context. */
  traceparent?: string | undefined;
  /** W3C Trace Context, up to 512 printable ASCII characters. */
  tracestate?: string | undefined;
}

/** The result of a tool call, as the host takes it. */
export interface ToolResult {
  /**
   * What the model reads: JSON of at most 19456 bytes of UTF-8, which the host passes on whole.
   *
   * - Success: `{ exitCode, report }` as in {@link Answer}, and `skippedFiles` where changed files were not asked about
   *   because of their names. A report that is too long begins with `truncated: true` and `omitted`, which counts what
   *   was left out of which list; what governs is left out last.
   * - Failure: `{ error: { code, message, argument?, index? } }` with a {@link ToolFailureCode} and a fixed sentence,
   *   the name of the argument that was refused, and which of its entries. `exitCode` where the `adr` command ended
   *   without a report, and `files` where the failure came after they had been judged.
   */
  textResultForLlm: string;
  /** A check that found something is a success. */
  resultType: 'success' | 'failure';
}

/**
 * The three read-only tools `adr_check`, `adr_explain` and `adr_lint`, for one session.
 *
 * ```js
 * const tools = new Tools();
 * await joinSession({
 *   tools: tools.definitions().map((definition) => ({
 *     ...definition,
 *     handler: (args, invocation) => tools.call(definition.name, args, invocation),
 *   })),
 *   onEvent: tools.contextChanged,
 * });
 * ```
 *
 * At most 8 calls work at once; more of them wait. Each engine's answer has 30 seconds, each git process 10.
 */
export class Tools {
  /** Throws `invalid-argument`, and `working-directory-gone` where there is no `process.cwd()`. */
  constructor(options?: ToolsOptions);

  /** The directory in which the next call works. That it exists is seen to by the call. */
  readonly directory: string;

  /** The definitions, new ones each time. Each needs a `handler` that asks {@link Tools.call}. */
  definitions(): ToolDefinition[];

  /**
   * Answers one call. It never throws and never rejects, whatever it is given: what cannot be answered is a result
   * with `resultType: 'failure'`. It is bound to its object.
   *
   * @param name the name of the tool.
   * @param args what the model wrote. Nothing of it is trusted, and no part of what is refused is repeated.
   */
  call(name: string, args: unknown, options?: ToolCallOptions): Promise<ToolResult>;

  /**
   * Takes any event of the host, and follows `session.context_changed` to an absolute `data.cwd`. It never throws. It
   * is bound to its object.
   */
  contextChanged(event: unknown): void;
}

// ------------------------------------------------------------------------- the hooks of GitHub Copilot CLI (1.0.102)

/** Which optional fields of `joinSession` could be built. */
export interface JoinFields {
  hooks: boolean;
  tools: boolean;
  canvases: boolean;
}

/** One call of `joinSession`: with every field that is present, but these. */
export interface JoinRung {
  drop: (keyof JoinFields)[];
}

/**
 * The joins that an extension tries, in order, until the host accepts one: with everything, without the hooks, without
 * the tools, without both, without the canvases, without all three. The host refuses a join as a whole, without saying
 * which field it objects to. A join that would leave out an absent field, or the same as an earlier one, is not among
 * them: there are 1 to 6.
 */
export function joinLadder(present: JoinFields): JoinRung[];

/** What every hook of the host is handed. */
export interface HookInput {
  /** The session, which may be a sub-agent's. */
  sessionId: string;
  /** In a handler, a `Date`. */
  timestamp: Date;
  /** The directory of the session: absolute, and not always the process's. */
  workingDirectory: string;
}

/** `onSessionStart`: once for each process, at the first prompt. */
export interface SessionStartInput extends HookInput {
  /** `new`, or `resume` after a session was resumed. */
  source: string;
  initialPrompt?: string;
}

/** What a tool of the host returned. */
export interface HookToolResult {
  resultType: string;
  textResultForLlm: string;
  toolTelemetry?: {
    properties?: Record<string, unknown>;
    metrics?: Record<string, unknown>;
    /** `filePaths`, and for a patch `addedPaths`, `deletedPaths`, `movedFromPaths`: JSON text of absolute paths. */
    restrictedProperties?: Record<string, unknown>;
  };
  sessionLog?: string;
  [key: string]: unknown;
}

/** `onPostToolUse`: after a tool has succeeded. */
export interface PostToolUseInput extends HookInput {
  /** Such as `create`, `edit`, `apply_patch`, `view`, `bash`. */
  toolName: string;
  /** An object, or for `apply_patch` the patch as a string. The model chose it. */
  toolArgs: unknown;
  toolResult: HookToolResult;
}

/** All that a hook of this package ever returns: no verdict on a tool call, no change of it. */
export interface HookOutput {
  /**
   * At most 8000 characters, all ASCII: record ids, statuses, counts, and fixed sentences. No title, no path, and
   * nothing else that a repository holds.
   */
  additionalContext: string;
}

/** The options of {@link Hooks}. */
export interface HooksOptions {
  /**
   * Where `ADRKIT_HOOKS`, `ADRKIT_CLI`, `ADRKIT_ENGINE`, `ADRKIT_DIR` and `PATH` are looked up, and the whole
   * environment of the processes; values that are undefined are left out. `process.env` as it is now when absent.
   */
  env?: Record<string, string | undefined> | undefined;
  /**
   * Tells the person that advisories are missing: one fixed line, once in the life of the hooks. It is not awaited;
   * that it throws, rejects or never settles changes nothing.
   */
  log?: ((message: string) => unknown) | undefined;
  /**
   * Refreshes the panels of a directory, 1.5 seconds after the last edit. Without it, panels are not refreshed.
   *
   * A directory is refreshed again when its last refresh has settled, and then once, however many edits there were
   * meanwhile. `signal` is aborted after 15 seconds, when the last panel of the directory closes, and by
   * {@link Hooks.dispose}; the refresh has to settle soon after. A refresh that rejects is told to `log`.
   */
  refresh?: ((dir: string, options: { signal: AbortSignal }) => Promise<void>) | undefined;
}

/**
 * The advisory hooks of one session process: they tell a model which decisions govern, and block nothing.
 *
 * ```js
 * const hooks = new Hooks({ log: (line) => session.log(line) });
 * const { onSessionStart, onPostToolUse } = hooks;
 * await joinSession(hooksEnabled() ? { hooks: { onSessionStart, onPostToolUse } } : {});
 * ```
 *
 * The handlers never throw and never reject, whatever they are given: where there is nothing to tell, or something
 * went wrong, they resolve to undefined. They are bound to their object, and have deadlines of their own, since the
 * host sets none. Of the input they read a few members, up to 64 MiB of text.
 *
 * At most two processes run at once, each for at most 5 seconds, and 500 checks are made in all (the embedded engine
 * starts no process, and does not count). Whoever never calls {@link Hooks.dispose} keeps the hooks in memory where
 * they were given a function, but not the process alive.
 */
export class Hooks {
  /** Throws `invalid-argument`. */
  constructor(options?: HooksOptions);

  /**
   * How many files have changed in `input.workingDirectory`, the ids of the accepted decisions that govern them, and
   * those of the proposals that would. Undefined where nothing does, and where the session has been told, unless it
   * is resumed.
   *
   * It answers within 5 seconds.
   */
  onSessionStart(input: SessionStartInput): Promise<HookOutput | undefined>;

  /**
   * The ids of the accepted decisions that govern the files that the tool has just edited, once for each file and
   * session; a sub-agent is a session of its own. Undefined where nothing does, and for a tool that does not edit:
   * then nothing is started.
   *
   * It answers within 2 seconds; a check that takes longer goes on, and the next edit of the file is told. At most 20
   * files of one call are looked at.
   */
  onPostToolUse(input: PostToolUseInput): Promise<HookOutput | undefined>;

  /**
   * A panel opened that shows the review of `dir`: from now on edits refresh it. The spelling is the directory.
   *
   * Throws `invalid-argument` unless `dir` is an absolute path.
   */
  panelOpened(dir: string): void;

  /**
   * A panel of `dir` closed. With the last one, a refresh that is due or under way is ended.
   *
   * Throws `invalid-argument` unless `dir` is an absolute path.
   */
  panelClosed(dir: string): void;

  /**
   * Ends what is under way, processes and refreshes too. From now on the handlers resolve to undefined and nothing is
   * refreshed. The end of a worker does the same.
   */
  dispose(): void;
}

/** Options of a {@link Review}. */
export interface ReviewOptions {
  /** The directory that is reviewed: absolute. */
  cwd: string;
  /** What to compare with; `origin/main` when absent, or HEAD where there is no such branch. */
  base?: string | undefined;
  /** Where the records are, relative to `cwd`; `docs/adr` when absent. */
  dir?: string | undefined;
  /** Who answers; `ADRKIT_ENGINE` when absent, and `auto` without that. */
  engine?: EngineChoice | undefined;
  /** The environment; `process.env` when absent. */
  env?: Record<string, string | undefined> | undefined;
}

/** Ids of decisions. One that is no id of its own ({@link isRecordId}), or has more than 32 characters, is not listed. */
export interface ReviewIds<T> {
  /** How many decisions there are. */
  total: number;
  /** The first of them. */
  listed: T[];
  /** How many are not listed. */
  unlisted: number;
}

/** A decision that is not accepted. */
export interface ReviewStatus {
  /** Its id. */
  id: string;
  /** Where it stands; `other` for anything unknown. */
  status: 'draft' | 'proposed' | 'accepted' | 'rejected' | 'superseded' | 'deprecated' | 'other';
}

/** Why a part of a review is missing, or older than the others. */
export interface ReviewNote {
  /** The part. */
  part: 'changes' | 'check' | 'lint' | 'queue';
  /** The stable code of the failure. */
  code: ErrorCode | 'changes-unknown';
  /** A fixed sentence. */
  note: string;
}

/**
 * What a model may know of a review, below 4 KiB as JSON: ids, statuses, counts, fixed sentences. No titles, no paths.
 * What is not known is null.
 */
export interface ReviewSummary {
  /** As {@link Review.version}. */
  version: number;
  /** Whether a refresh is under way, or about to begin. */
  refreshing: boolean;
  /** When what governs was found out, or the rest where that is not known: ISO 8601, UTC. */
  madeAt: string | null;
  /** How long that refresh took, in milliseconds. */
  tookMs: number | null;
  /** Who answered: both where the parts of the answer disagree. */
  engines: Array<'cli' | 'embedded'>;
  /** How many files have changed, compared with what; names that are not UTF-8 are left out and counted. */
  changes: { files: number; with: 'base' | 'head' | 'empty-tree'; skippedNonUtf8: number } | null;
  /** How many of them no accepted decision governs. */
  ungovernedFiles: number | null;
  /** The accepted decisions that govern them; at most 20 are listed. */
  governing: ReviewIds<string> | null;
  /** The open proposals that would; at most 12 are listed. */
  proposals: ReviewIds<ReviewStatus> | null;
  /** The rejected, superseded and deprecated ones; at most 8 are listed. */
  history: ReviewIds<ReviewStatus> | null;
  /** The records that were looked at, and the findings. */
  lint: { checked: number; errors: number; warnings: number; infos: number } | null;
  /** The proposals that wait for a decision, and how many of them are late. */
  queue: { total: number; overdue: number; escalated: number; due: number } | null;
  /** What is missing or older. */
  notes: ReviewNote[];
}

/**
 * The decision review of one directory: what governs the change in hand, as a page and for a model. It collects when
 * it is told to, and what it shows is from one moment.
 *
 * ```js
 * const review = new Review({ cwd });
 * await review.refresh({ trigger: 'open' });
 * response.end(review.document({ nonce, base: `/${token}/` }));
 * ```
 *
 * The page needs nothing from elsewhere, and runs under a Content-Security-Policy that allows one style and one script
 * by nonce. Text of the repository is text in it and nothing else; characters that do not show are marked. What is long
 * is cut and counted: titles after 300 characters, paths after 500, 3000 changed files, 500 decisions of a kind, 1000
 * findings.
 */
export class Review {
  /** Throws `invalid-argument`, or `unknown-engine`. */
  constructor(options: ReviewOptions);

  /** The directory, as given. */
  readonly directory: string;

  /** Rises whenever what is shown changes, also when a refresh begins or ends. */
  readonly version: number;

  /**
   * Collects again. While a refresh is under way, all further calls make one more. Resolves when a refresh that began
   * after the call has ended.
   *
   * What could not be found out keeps its previous result, with a fixed note, and an older result never replaces a
   * newer one. A refresh may take 15 seconds where `trigger` is `edit`, and 60 otherwise (`manual` when absent). One
   * that was told to end is waited for 5 seconds. `signal` withdraws this call: the refresh is ended when nobody waits
   * for it any more, or else the call resolves at once. Whoever aborts a refresh after an edit is taken to do so
   * because its time is up.
   *
   * Rejects with `invalid-argument` only.
   */
  refresh(options?: {
    trigger?: 'open' | 'manual' | 'edit' | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<void>;

  /**
   * The whole page, as HTML. `nonce` goes on its one `<style>` and its one `<script>`; `base` is its own URL path, and
   * ends in a slash. Throws `invalid-argument`.
   */
  document(page: { nonce: string; base: string }): string;

  /** What the page is made of now, in document order: the inner HTML of the element with each id. */
  fragments(): { version: number; parts: Array<{ id: string; html: string }> };

  /** For a model. */
  summary(): ReviewSummary;

  /** Cancels what is under way. From now on a refresh does nothing. */
  dispose(): void;
}

/**
 * Whether the hooks are to be registered: unless `ADRKIT_HOOKS` is `0`, `false`, `off` or `no`, in any case and with
 * any white space around it. Hooks that are registered nevertheless tell nothing.
 *
 * Throws `invalid-argument` where `env` is no object of strings. It is `process.env` when absent.
 */
export function hooksEnabled(env?: Record<string, string | undefined>): boolean;
