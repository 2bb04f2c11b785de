import type { TraceExportOptions } from './otlp-sink.js';
import { setSpanSink } from './span.js';

/**
 * Exports spans from now on. OpenTelemetry is loaded here and nowhere else, so that a process without an endpoint does
 * not load it. The returned function sends what is queued and ends the export.
 */
export async function startTraceExport(options: TraceExportOptions): Promise<() => Promise<void>> {
  const { createOtlpSink } = await import('./otlp-sink.js');
  const { sink, close } = createOtlpSink(options);
  setSpanSink(sink);
  return async () => {
    setSpanSink(null);
    await close();
  };
}
