import { PROBLEM_STATUSES, presentProblem, type ProblemSpec } from '@pos/rest-contracts/problems';
import { LATEST_RELEASE } from '@pos/rest-contracts/versions';
import { PROBLEM_MEDIA_TYPE } from './http-problem.js';
import type { Log } from './log.js';
import { continueTrace, inTrace, traceparentOf } from './trace.js';

interface Unreadable {
  readonly spec: ProblemSpec;
  readonly detail: string;
}

const MALFORMED: Unreadable = { spec: PROBLEM_STATUSES[400], detail: 'The request is not HTTP as it should be.' };
const BY_CODE: Readonly<Record<string, Unreadable>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { spec: PROBLEM_STATUSES[408], detail: 'The request did not arrive in time.' },
  HPE_HEADER_OVERFLOW: { spec: PROBLEM_STATUSES[431], detail: 'The headers together may have 16 KiB.' },
};

/**
 * The whole answer, as it goes over the wire, to bytes that are no request: a problem as any other, in the newest
 * release and a trace of its own, because what was sent of these cannot be read. The connection ends with it.
 */
export function unreadableAnswer({ code }: { readonly code?: string | undefined }, log: Log): string {
  const { spec, detail } = BY_CODE[code ?? ''] ?? MALFORMED;
  const trace = continueTrace();
  const traceId = traceparentOf(trace);
  inTrace(trace, () => log.info('http.unreadable', { status: spec.status, reason: code }));
  const body = JSON.stringify(presentProblem(spec, { detail, traceId, errors: {} }));
  const headers = {
    ...{ version: LATEST_RELEASE, 'trace-id': traceId },
    ...{ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', connection: 'close' },
    ...{ 'content-type': PROBLEM_MEDIA_TYPE, 'content-length': Buffer.byteLength(body) },
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${spec.status} ${spec.title}\r\n${lines.join('')}\r\n${body}`;
}
