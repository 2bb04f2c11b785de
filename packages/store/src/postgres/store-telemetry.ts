import type { Statement } from './statement.js';

/** A write on a connection, once its last answer has arrived. */
export interface RoundTrip {
  /**
   * The names of the statements without their digests, and the labels of TypeORM's; `begin` and `commit` for the
   * commands. Made when asked for.
   */
  readonly listStatements: () => readonly string[];
  /** Monotonic. */
  readonly startedAtMs: number;
  readonly hasFailed: boolean;
}

/** What a process observes of its use of the database. */
export interface StoreTelemetry {
  /** Called when a write leaves; the returned function is called when all of its answers have arrived. Neither throws. */
  startRoundTrip(): (roundTrip: RoundTrip) => void;
  /** Called once for each unit of work that the server could not do, with its SQLSTATE. Never throws. */
  countServerFailure(sqlState: string): void;
  /** The `traceparent` that is stored with an event, so that its delivery can name its cause; null stores none. */
  readTraceparent(): string | null;
  /** The trace of the running unit of work, exported or not: 32 hex digits; null without one. */
  readTraceId(): string | null;
}

let telemetry: StoreTelemetry | null = null;

/** Observes every database of this process from now on; null ends it. Without it, a write costs one comparison more. */
export function setStoreTelemetry(observer: StoreTelemetry | null): void {
  telemetry = observer;
}

/** The `traceparent` of the running unit of work, where traces are exported. */
export function readEventTraceparent(): string | null {
  return telemetry?.readTraceparent() ?? null;
}

/** The trace of the running unit of work, as it is stored with a change; null without one. */
export function readTraceId(): string | null {
  return telemetry?.readTraceId() ?? null;
}

/** Reports that the server could not do a unit of work, and why. */
export function countServerFailure(sqlState: string): void {
  telemetry?.countServerFailure(sqlState);
}

/** Reports a write once all of its answers are there. Answers arrive in order, so the last one ends it. */
export function trackRoundTrip(statements: readonly SentStatement[], answers: readonly Promise<unknown>[]): void {
  const end = startRoundTrip(statements);
  if (end === null) return;
  answers.at(-1)?.then(
    () => end(false),
    () => end(true),
  );
}

/** Reports a write that leaves now, once the returned function is called. Null: nobody observes it. */
export function startRoundTrip(statements: readonly SentStatement[]): ((hasFailed: boolean) => void) | null {
  if (telemetry === null) return null;
  const observe = telemetry.startRoundTrip();
  const startedAtMs = performance.now();
  return (hasFailed) => {
    observe({ listStatements: () => statements.map(formatLabel), startedAtMs, hasFailed });
  };
}

type SentStatement = Statement | { readonly text: string };

const DIGEST = /_[0-9a-f]{12}$/;

function formatLabel(statement: SentStatement): string {
  return 'name' in statement
    ? statement.name.replace(DIGEST, '')
    : (/\w+/.exec(statement.text)?.[0] ?? '').toLowerCase();
}
