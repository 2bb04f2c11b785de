import { continueTrace, createSpanId, currentTrace, runInTrace, type Trace } from './trace.js';

/** The part of a call that a span is about, in the terms of OpenTelemetry. */
export type SpanKind = 'server' | 'client' | 'internal' | 'consumer';

/** Facts of a span. Never an account's data: no amounts, names, numbers or texts of others. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** An ended unit of work. Its ids are those of its log lines. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly trace: Trace;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly tookMs: number;
  readonly attributes: SpanAttributes;
  readonly hasFailed: boolean;
  /** Units of work of other traces that caused this one. */
  readonly links: readonly Pick<Trace, 'traceId' | 'spanId'>[];
}

/** Takes every ended span of a sampled trace. */
export interface SpanSink {
  readonly record: (span: EndedSpan) => void;
  /** The share of traces that begin in this process and are exported. */
  readonly sampleRatio: number;
}

/** The end of a unit of work, as its caller sees it. */
export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  readonly hasFailed?: boolean;
}

/** What is known of a unit of work when it begins. */
export interface SpanStart extends Pick<EndedSpan, 'name' | 'kind'> {
  readonly attributes?: SpanAttributes;
  readonly links?: EndedSpan['links'];
}

/** Null unless traces are exported: then every function of this file is one comparison. */
let spanSink: SpanSink | null = null;

/** Exports ended spans from now on; null ends it. */
export function setSpanSink(sink: SpanSink | null): void {
  spanSink = sink;
}

/** Whether ended spans are exported. */
export function isTracing(): boolean {
  return spanSink !== null;
}

/** Begins the trace of work that has no caller, such as a due timer. The ratio decides whether it is exported. */
export function beginTrace(): Trace {
  const trace = continueTrace();
  return spanSink === null ? trace : { ...trace, isSampled: isInSample(trace.traceId, spanSink.sampleRatio) };
}

/** Continues a caller's trace, or begins one. */
export function continueOrBeginTrace(traceparent: string | null): Trace {
  const trace = continueTrace(traceparent);
  return trace.parentId === null && spanSink !== null
    ? { ...trace, isSampled: isInSample(trace.traceId, spanSink.sampleRatio) }
    : trace;
}

/** Records the unit of work that the trace itself names: a served request, or a claimed timer. */
export function endSpan(
  { name, kind, attributes = {}, links = [] }: SpanStart,
  { trace, startedAtMs }: { readonly trace: Trace; readonly startedAtMs: number },
  end: SpanEnd = {},
): void {
  if (spanSink === null || !trace.isSampled) return;
  spanSink.record({
    ...{ name, kind, trace, links, startedAtMs: performance.timeOrigin + startedAtMs },
    tookMs: performance.now() - startedAtMs,
    attributes: { ...attributes, ...end.attributes },
    hasFailed: end.hasFailed ?? false,
  });
}

/** The position of a unit of work within the current one; null when it is not exported. */
export function startChild(): Trace | null {
  if (spanSink === null) return null;
  const parent = currentTrace();
  if (parent === null || !parent.isSampled) return null;
  return { ...parent, spanId: createSpanId(), parentId: parent.spanId };
}

/**
 * Runs work as a span within the current trace. `describe` reads the end from the result. Without an export it only
 * runs the work.
 */
export async function runSpan<T>(
  start: SpanStart,
  work: () => Promise<T>,
  describe: (result: T) => SpanEnd = () => ({}),
): Promise<T> {
  const trace = startChild();
  if (trace === null) return work();
  const startedAtMs = performance.now();
  try {
    const result = await runInTrace(trace, work);
    endSpan(start, { trace, startedAtMs }, describe(result));
    return result;
  } catch (error) {
    endSpan(start, { trace, startedAtMs }, { hasFailed: true });
    throw error;
  }
}

/** Runs work that may have no caller: a span of the running trace, or a trace of its own. */
export async function runUnitOfWork<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
  if (currentTrace() !== null) return runSpan(start, work);
  const trace = beginTrace();
  const startedAtMs = performance.now();
  let hasFailed = true;
  try {
    const result = await runInTrace(trace, work);
    hasFailed = false;
    return result;
  } finally {
    endSpan(start, { trace, startedAtMs }, { hasFailed });
  }
}

const SAMPLE_DIGITS = 13;

/** The same decision in every process, as the sampler `traceidratio` of OpenTelemetry makes it from the end of the id. */
function isInSample(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-SAMPLE_DIGITS), 16) < ratio * 16 ** SAMPLE_DIGITS;
}
