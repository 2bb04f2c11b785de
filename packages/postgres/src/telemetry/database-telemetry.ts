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
export interface DatabaseTelemetry {
  /** Called when a write leaves; the returned function is called when all of its answers have arrived. Neither throws. */
  startRoundTrip(): (roundTrip: RoundTrip) => void;
  /** Called once for each unit of work that the server could not do, with its SQLSTATE. Never throws. */
  countServerFailure(sqlState: string): void;
  /** The `traceparent` of the running unit of work, which names it as the cause of later work; null stores none. */
  readTraceparent(): string | null;
  /** The trace of the running unit of work, exported or not: 32 hex digits; null without one. */
  readTraceId(): string | null;
}

let telemetry: DatabaseTelemetry | null = null;

/** Observes every database of this process from now on; null ends it. Without it, a write costs one comparison more. */
export function setDatabaseTelemetry(observer: DatabaseTelemetry | null): void {
  telemetry = observer;
}

/** The `traceparent` of the running unit of work, where traces are exported. */
export function readTraceparent(): string | null {
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

/** A named statement, or a text without a name. */
interface SentStatement {
  readonly name?: string;
  readonly text: string;
}

const DIGEST = /_[0-9a-f]{12}$/;

function formatLabel(statement: SentStatement): string {
  return statement.name === undefined
    ? (/\w+/.exec(statement.text)?.[0] ?? '').toLowerCase()
    : statement.name.replace(DIGEST, '');
}
