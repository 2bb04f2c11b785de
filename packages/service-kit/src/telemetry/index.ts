// Logs, spans and W3C trace context of a unit of work, with the release that runs.
export { createLog, type Log } from './log.js';
export {
  beginTrace,
  endSpan,
  isTracing,
  runSpan,
  runUnitOfWork,
  type SpanEnd,
  type SpanStart,
  startChild,
} from './span.js';
export { continueTrace, currentTrace, formatTraceparent, parseTraceparent, runInTrace, type Trace } from './trace.js';
export { readProductVersion } from './release.js';
