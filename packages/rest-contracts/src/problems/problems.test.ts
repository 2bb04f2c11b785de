import { expect, test } from '@jest/globals';
import { PROBLEMS, presentProblem, problemCode } from './problems.js';

const traceId = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('a problem has all eight members in one order, and empty `errors` without an invalid member', () => {
  const problem = presentProblem('payment_intent_not_found', { detail: 'Gone.', traceId, errors: {} });
  expect(JSON.stringify(problem)).toBe(
    `{"type":"https://tools.ietf.org/html/rfc7231#section-6.5.4","title":"Not Found","status":404,"detail":"Gone.","traceId":"${traceId}","errors":{},"reason":"payment_intent_not_found","documentation":"/errors#payment_intent_not_found"}`,
  );
});

test.each([
  [{ reference: ['Is required.'] }, 'One or more validation errors occurred.'],
  [{}, 'Bad Request'],
])('the title of a 400 depends on whether members are invalid: %j', (errors, title) => {
  expect(presentProblem('validation_failed', { detail: '', traceId, errors }).title).toBe(title);
});

test('any other status keeps its title, also when a member is invalid', () => {
  const { title } = presentProblem('event_kind_taken', { detail: '', traceId, errors: { events: ['Is taken.'] } });
  expect(title).toBe('Conflict');
});

test.each([
  [409, 'terminal_unavailable', 'TERMINAL_UNAVAILABLE'],
  [409, 'payment_intent_busy', 'INVALID_REQUEST'],
  [400, null, 'INVALID_REQUEST'],
  [401, 'unauthenticated', 'INVALID_REQUEST'],
  [500, null, 'INTERNAL_ERROR'],
  [503, 'service_unavailable', 'INTERNAL_ERROR'],
] as const)('%d with %s is %s for a terminal', (status, refusal, code) => {
  expect(problemCode(status, refusal)).toBe(code);
});

test('the catalogue of refusals', () => {
  const rows = Object.entries(PROBLEMS).map(([code, { status }]) => `${status} ${code}`);
  expect(rows.sort()).toMatchSnapshot();
});
