import { diag, DiagLogLevel, SpanKind, SpanStatusCode, type HrTime } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { hostname } from 'node:os';
import type { Log } from './log.js';
import type { EndedSpan, SpanSink } from './span.js';
import type { Trace } from './trace.js';

/** Where spans go, and what they are of. */
export interface TraceExportOptions {
  /** The address of a collector that takes OTLP over HTTP; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly sampleRatio: number;
  readonly app: string;
  readonly release: string;
  readonly log: Log;
}

/** Bounds the memory of spans that wait for a collector that does not answer; above it the newest are dropped. */
const QUEUED_SPANS_MAX = 4_096;
const BATCH_SPANS_MAX = 512;
const BATCH_INTERVAL_MS = 1_000;
const EXPORT_TIMEOUT_MS = 5_000;
const FAILURE_LOG_INTERVAL_MS = 60_000;

/**
 * Sends spans in batches. The ids are those of our own traces, so spans are built here and not by a tracer of
 * OpenTelemetry, which would draw ids of its own (ADR 0078).
 */
export function createOtlpSink({ endpoint, sampleRatio, app, release, log }: TraceExportOptions): {
  readonly sink: SpanSink;
  readonly close: () => Promise<void>;
} {
  const logFailure = logExportFailures(log);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor(exporter, {
    maxQueueSize: QUEUED_SPANS_MAX,
    maxExportBatchSize: BATCH_SPANS_MAX,
    scheduledDelayMillis: BATCH_INTERVAL_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const resource = resourceFromAttributes({
    'service.namespace': 'pos',
    'service.name': app,
    'service.version': release,
    'service.instance.id': `${hostname()}:${process.pid}`,
  });
  return {
    sink: {
      sampleRatio,
      record: (span) => {
        processor.onEnd(toReadableSpan(span, resource));
      },
    },
    // Spans that cannot be sent must not make the end of the process a failure.
    close: () => processor.shutdown().catch((error: unknown) => logFailure(String(error))),
  };
}

/** A collector that is away is one line a minute, and never an error of the work that was traced. */
function logExportFailures(log: Log): (message: string) => void {
  let silentUntilMs = 0;
  const logFailure = (message: string): void => {
    if (performance.now() < silentUntilMs) return;
    silentUntilMs = performance.now() + FAILURE_LOG_INTERVAL_MS;
    log.warn('traces.not_exported', { reason: message });
  };
  const ignore = (): void => undefined;
  const logger = { error: logFailure, warn: logFailure, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return logFailure;
}

const KINDS: Readonly<Record<EndedSpan['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  consumer: SpanKind.CONSUMER,
};

function toReadableSpan(span: EndedSpan, resource: Resource): ReadableSpan {
  const { name, trace, startedAtMs, tookMs, attributes, hasFailed, links } = span;
  return {
    name,
    kind: KINDS[span.kind],
    spanContext: () => toSpanContext(trace),
    ...(trace.parentId !== null && {
      parentSpanContext: toSpanContext({ traceId: trace.traceId, spanId: trace.parentId }),
    }),
    startTime: toHrTime(startedAtMs),
    endTime: toHrTime(startedAtMs + tookMs),
    duration: toHrTime(tookMs),
    status: { code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { ...attributes },
    links: links.map((link) => ({ context: toSpanContext(link) })),
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: '@pos/service-kit' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const SAMPLED_FLAG = 1;

function toSpanContext({
  traceId,
  spanId,
}: Pick<Trace, 'traceId' | 'spanId'>): ReturnType<ReadableSpan['spanContext']> {
  return { traceId, spanId, traceFlags: SAMPLED_FLAG };
}

function toHrTime(milliseconds: number): HrTime {
  const seconds = Math.trunc(milliseconds / 1_000);
  return [seconds, Math.round((milliseconds - seconds * 1_000) * 1e6)];
}
