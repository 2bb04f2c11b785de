import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** The position of a unit of work in its trace, in the terms of W3C Trace Context. */
export interface Trace {
  /** 32 lower-case hex digits, equal in every process of a call. */
  readonly traceId: string;
  /** 16 lower-case hex digits: this unit of work. */
  readonly spanId: string;
  /** The caller's span, or null when the trace begins here. */
  readonly parentId: string | null;
  readonly isSampled: boolean;
}

/** Continues the trace named by a `traceparent` header, or begins one when there is none or it is malformed. */
export function continueTrace(traceparent?: string | null): Trace {
  const parent = parseTraceparent(traceparent);
  return {
    traceId: parent?.traceId ?? createTraceId(),
    spanId: createSpanId(),
    parentId: parent?.spanId ?? null,
    isSampled: parent?.isSampled ?? true,
  };
}

/**
 * A new trace id. It is a UUID without its hyphens: node draws the bytes of many at a time, which costs a tenth. The
 * digits that decide on sampling, the last thirteen, are random.
 */
function createTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** A new span id: the digits of a UUID that name neither version nor variant. */
export function createSpanId(): string {
  const uuid = randomUUID();
  return uuid.slice(0, 8) + uuid.slice(28);
}

/** Runs the work, and everything it starts, inside the trace. */
export function runInTrace<T>(trace: Trace, work: () => T): T {
  return traceStorage.run(trace, work);
}

/** The trace of the running unit of work; null without one. */
export function currentTrace(): Trace | null {
  return traceStorage.getStore() ?? null;
}

/** The `traceparent` header to send on an outbound call. */
export function formatTraceparent({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

const traceStorage = new AsyncLocalStorage<Trace>();

// A version above 00 may append fields after the flags; `ff` is forbidden, and so are ids that are all zeros.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The parts of a `traceparent` text; null for none, or a malformed one. */
export function parseTraceparent(
  text: string | null | undefined,
): Pick<Trace, 'traceId' | 'spanId' | 'isSampled'> | null {
  const match = TRACEPARENT.exec(text?.trim() ?? '');
  if (match === null) return null;
  const [, version, traceId, spanId, flags, rest] = match;
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === '00' && rest !== undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
