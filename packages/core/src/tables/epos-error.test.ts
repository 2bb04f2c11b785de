import { expect, test } from '@jest/globals';
import { EPOS_DATA_ERROR_CODES, EPOS_ERRORS, EPOS_SILENCES, isEposErrorCode } from './epos-error.js';

test('every error of an EPOS has its form at each edge', () => {
  const rows = Object.entries({ ...EPOS_ERRORS, ...EPOS_SILENCES });
  const lines = rows.map(([code, { grpcStatus, simulatorHttp }]) => `${code} ${grpcStatus} ${simulatorHttp}`);
  expect(lines.join('\n')).toMatchInlineSnapshot(`
   "SESSION_NO_SUCH_SESSION NOT_FOUND 404
   TABLE_NO_SUCH_TABLE NOT_FOUND 404
   BILL_NO_SUCH_BILL NOT_FOUND 404
   SESSION_ALREADY_LOCKED ABORTED 409
   SESSION_NOT_LOCKED FAILED_PRECONDITION 409
   SESSION_UNABLE_TO_UNLOCK UNAVAILABLE 502
   PAYMENT_ALREADY_RECORDED ALREADY_EXISTS 409
   PAYMENT_NOT_RECORDED FAILED_PRECONDITION 422
   WAITER_INCORRECT_WAITER_ID PERMISSION_DENIED 403
   ERROR_PARSE_ERROR INVALID_ARGUMENT 400
   ERROR_INTERNAL_POS_ERROR INTERNAL 502
   notConnected UNAVAILABLE 503
   noAnswer DEADLINE_EXCEEDED 504"
  `);
});

test('an error about an order is translated to the pay-at-table contract', () => {
  const lines = Object.entries(EPOS_DATA_ERROR_CODES).map(
    ([call, codes]) => `${call}: ${Object.values(codes).join(', ')}`,
  );
  expect(lines.join('\n')).toMatchInlineSnapshot(`
   "session: SESSION_NO_SUCH_SESSION, ERROR_INTERNAL_POS_ERROR, ERROR_PARSE_ERROR, ERROR_INTERNAL_POS_ERROR
   bill: BILL_NO_SUCH_BILL, ERROR_INTERNAL_POS_ERROR, ERROR_PARSE_ERROR, ERROR_INTERNAL_POS_ERROR
   lock: SESSION_NO_SUCH_SESSION, SESSION_ALREADY_LOCKED, ERROR_PARSE_ERROR, ERROR_INTERNAL_POS_ERROR
   record: SESSION_NO_SUCH_SESSION, PAYMENT_NOT_RECORDED, ERROR_PARSE_ERROR, ERROR_INTERNAL_POS_ERROR
   unlock: SESSION_NO_SUCH_SESSION, SESSION_UNABLE_TO_UNLOCK, ERROR_PARSE_ERROR, ERROR_INTERNAL_POS_ERROR"
  `);
});

test.each(['SESSION_NOT_LOCKED', 'ERROR_PARSE_ERROR'])('%s is a code', (text) => {
  expect(isEposErrorCode(text)).toBe(true);
});

test.each(['', 'session_not_locked', 'NotFound', 'constructor', 'toString', 'SESSION_NOT_LOCKED '])(
  '%p is no code',
  (text) => {
    expect(isEposErrorCode(text)).toBe(false);
  },
);
