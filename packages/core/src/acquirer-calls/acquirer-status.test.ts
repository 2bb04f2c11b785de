import { expect, test } from '@jest/globals';
import {
  ACQUIRER_ERROR_STATUSES,
  ACQUIRER_METHODS,
  type AcquirerMethod,
  findStatusMeaning,
  type StatusMeaning,
} from './acquirer-status.js';

const MEANINGS = ['refused', 'inquireFirst', 'accessRefused', 'notFound', 'unknown'] as const satisfies StatusMeaning[];

const getStatuses = (method: AcquirerMethod, meaning: StatusMeaning): string =>
  ACQUIRER_ERROR_STATUSES.filter((status) => findStatusMeaning(method, status) === meaning).join(' ');

test('every error status has its meaning', () => {
  const rows = ACQUIRER_METHODS.flatMap((method) =>
    MEANINGS.map((meaning) => `${method} ${meaning}: ${getStatuses(method, meaning)}`),
  );
  expect(rows.filter((row) => !row.endsWith(': ')).join('\n')).toMatchInlineSnapshot(`
   "Authorise refused: INVALID_ARGUMENT NOT_FOUND FAILED_PRECONDITION OUT_OF_RANGE UNIMPLEMENTED
   Authorise inquireFirst: ALREADY_EXISTS
   Authorise accessRefused: PERMISSION_DENIED UNAUTHENTICATED
   Authorise unknown: CANCELLED UNKNOWN DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED INTERNAL UNAVAILABLE DATA_LOSS
   CompleteChallenge inquireFirst: INVALID_ARGUMENT NOT_FOUND ALREADY_EXISTS FAILED_PRECONDITION OUT_OF_RANGE UNIMPLEMENTED
   CompleteChallenge accessRefused: PERMISSION_DENIED UNAUTHENTICATED
   CompleteChallenge unknown: CANCELLED UNKNOWN DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED INTERNAL UNAVAILABLE DATA_LOSS
   Increase refused: INVALID_ARGUMENT NOT_FOUND FAILED_PRECONDITION OUT_OF_RANGE UNIMPLEMENTED
   Increase inquireFirst: ALREADY_EXISTS
   Increase accessRefused: PERMISSION_DENIED UNAUTHENTICATED
   Increase unknown: CANCELLED UNKNOWN DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED INTERNAL UNAVAILABLE DATA_LOSS
   Capture refused: INVALID_ARGUMENT NOT_FOUND FAILED_PRECONDITION OUT_OF_RANGE UNIMPLEMENTED
   Capture inquireFirst: ALREADY_EXISTS
   Capture accessRefused: PERMISSION_DENIED UNAUTHENTICATED
   Capture unknown: CANCELLED UNKNOWN DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED INTERNAL UNAVAILABLE DATA_LOSS
   Refund refused: INVALID_ARGUMENT NOT_FOUND FAILED_PRECONDITION OUT_OF_RANGE UNIMPLEMENTED
   Refund inquireFirst: ALREADY_EXISTS
   Refund accessRefused: PERMISSION_DENIED UNAUTHENTICATED
   Refund unknown: CANCELLED UNKNOWN DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED INTERNAL UNAVAILABLE DATA_LOSS
   Reverse refused: INVALID_ARGUMENT NOT_FOUND FAILED_PRECONDITION OUT_OF_RANGE UNIMPLEMENTED
   Reverse inquireFirst: ALREADY_EXISTS
   Reverse accessRefused: PERMISSION_DENIED UNAUTHENTICATED
   Reverse unknown: CANCELLED UNKNOWN DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED INTERNAL UNAVAILABLE DATA_LOSS
   Inquire accessRefused: PERMISSION_DENIED UNAUTHENTICATED
   Inquire notFound: NOT_FOUND
   Inquire unknown: CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED ALREADY_EXISTS RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS
   ListBooked accessRefused: PERMISSION_DENIED UNAUTHENTICATED
   ListBooked unknown: CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS"
  `);
});

test.each(['Increase', 'Capture', 'Refund', 'Reverse', 'Authorise'] as const)(
  'a missing answer to %s is never a refusal',
  (method) => {
    for (const status of ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL', 'UNKNOWN', 'CANCELLED', 'ABORTED'] as const) {
      expect(findStatusMeaning(method, status)).toBe('unknown');
    }
  },
);
