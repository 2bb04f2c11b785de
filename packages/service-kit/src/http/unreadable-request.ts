import { presentProblem, type ProblemReason } from '@pos/rest-contracts/problems';
import { LATEST_RELEASE } from '@pos/rest-contracts/versions';
import { PROBLEM_MEDIA_TYPE } from './problem-response.js';
import type { Log } from '../telemetry/log.js';
import { continueTrace, runInTrace, formatTraceparent } from '../telemetry/trace.js';

interface UnreadableRequest {
  readonly reason: ProblemReason;
  readonly detail: string;
}

const MALFORMED_REQUEST: UnreadableRequest = {
  reason: 'request_malformed',
  detail: 'The request is not HTTP as it should be.',
};
const UNREADABLE_REQUESTS_BY_CODE: Readonly<Record<string, UnreadableRequest>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { reason: 'request_timeout', detail: 'The request did not arrive in time.' },
  HPE_HEADER_OVERFLOW: { reason: 'header_fields_too_large', detail: 'The headers together may have 16 KiB.' },
};

/**
 * The complete answer to bytes that are no request: a problem in the newest release with its own trace, because the
 * request's release and trace cannot be read. The connection closes after it.
 */
export function formatUnreadableAnswer({ code }: { readonly code?: string | undefined }, log: Log): string {
  const { reason, detail } = UNREADABLE_REQUESTS_BY_CODE[code ?? ''] ?? MALFORMED_REQUEST;
  const trace = continueTrace();
  const traceId = formatTraceparent(trace);
  const problem = presentProblem(reason, { detail, traceId, errors: {} });
  const { status, title } = problem;
  runInTrace(trace, () => log.info('http.unreadable', { status, reason: code }));
  const body = JSON.stringify(problem);
  const headers = {
    ...{ version: LATEST_RELEASE, 'trace-id': traceId },
    ...{ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', connection: 'close' },
    ...{ 'content-type': PROBLEM_MEDIA_TYPE, 'content-length': Buffer.byteLength(body) },
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`;
}
