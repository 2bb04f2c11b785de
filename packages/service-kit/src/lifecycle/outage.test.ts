import { status } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { Refusal } from '@pos/core/refusals';
import { toEndStatus, isUnexpectedError } from '../grpc/grpc-errors.js';
import { createProblemResponse } from '../http/problem-response.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

function createErrorWithCode(code: string): Error {
  return Object.assign(new Error('a trouble'), { code });
}

test.each([
  ['25006', 'a read-only server'],
  ['57P01', 'a server that is shut down by an administrator'],
  ['57P02', 'a server that crashed'],
  ['57P03', 'a server that starts up'],
  ['08006', 'a connection that failed'],
  ['53300', 'too many connections'],
  ['53100', 'a full disk'],
  ['40001', 'a serialisation failure'],
  ['40P01', 'a deadlock'],
  ['55P03', 'a lock that did not come in time'],
  ['58030', 'a disk that cannot be read'],
  ['ECONNREFUSED', 'a server that is not there'],
])('%s (%s) is 503 with retry-after over REST and UNAVAILABLE over gRPC, also as a cause', (code) => {
  for (const error of [createErrorWithCode(code), new Error('the work failed', { cause: createErrorWithCode(code) })]) {
    const { status: httpStatus, headers, refusal } = createProblemResponse(error, { operation: null, traceId: TRACE });
    expect([httpStatus, headers['retry-after'], refusal]).toEqual([503, '1', 'service_unavailable']);
    expect(toEndStatus(error, TRACE).code).toBe(status.UNAVAILABLE);
    expect(isUnexpectedError(error)).toBe(true);
  }
});

test.each(['23505', '42601', '22021', '42501', 'ENOENT'])('%s is a defect and no outage', (code) => {
  const error = createErrorWithCode(code);
  expect(createProblemResponse(error, { operation: null, traceId: TRACE }).status).toBe(500);
  const end = toEndStatus(error, TRACE);
  expect([end.code, end.details]).toEqual([status.INTERNAL, `internal error, trace ${TRACE}`]);
});

test('a refusal is service_unavailable in both protocols', () => {
  const refusal = new Refusal('service_unavailable', 'the database did not serve the request (25006)');
  const answer = createProblemResponse(refusal, { operation: null, traceId: TRACE });
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
  expect(toEndStatus(refusal, TRACE).code).toBe(status.UNAVAILABLE);
});
