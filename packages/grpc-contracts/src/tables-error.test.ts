import { Metadata, status } from '@grpc/grpc-js';
import { describe, expect, test } from '@jest/globals';
import { NotSentReason } from './gen/service/gateway_internal/v1/epos_service.js';
import { TablesError, TablesErrorCode } from './gen/service/tables/v1/error.js';
import { findNotSent, NOT_SENT_TRAILER, createNotSentError } from './not-sent.js';
import { findTablesError, TABLES_ERROR_STATUS, TABLES_ERROR_TRAILER, createTablesRefusal } from './tables-error.js';

const { UNRECOGNIZED, TABLES_ERROR_CODE_UNSPECIFIED, ...NAMED } = TablesErrorCode;
const CODES = Object.values(NAMED);

test.each(CODES)('%s travels with its status and its reason', (errorCode) => {
  const refusal = createTablesRefusal(errorCode, 'locked by Ann since 19:05 – té');
  expect(refusal.code).toBe(TABLES_ERROR_STATUS[errorCode]);
  expect(findTablesError(refusal)).toEqual({ errorCode, errorReason: 'locked by Ann since 19:05 – té' });
});

test('there are eleven codes', () => expect(CODES).toHaveLength(11));

test('a long reason travels whole in the trailer and cut in the status', () => {
  const refusal = createTablesRefusal(TablesErrorCode.PAYMENT_NOT_RECORDED, 'x'.repeat(5000));
  expect(refusal.details).toHaveLength(512);
  expect(findTablesError(refusal)?.errorReason).toHaveLength(5000);
});

describe('a failure without a readable refusal is no refusal', () => {
  test.each<[string, Metadata]>([
    ['no trailer', new Metadata()],
    ['an empty trailer', trailer(TABLES_ERROR_TRAILER, Buffer.alloc(0))],
    ['a code of zero', trailer(TABLES_ERROR_TRAILER, tables(TablesErrorCode.TABLES_ERROR_CODE_UNSPECIFIED))],
    ['a code from the future', trailer(TABLES_ERROR_TRAILER, Buffer.from([0x08, 99]))],
    ['half a message', trailer(TABLES_ERROR_TRAILER, tables(TablesErrorCode.SESSION_NOT_LOCKED).subarray(0, 3))],
    ['another trailer', trailer(NOT_SENT_TRAILER, tables(TablesErrorCode.SESSION_NOT_LOCKED))],
  ])('%s', (_name, metadata) => {
    expect(findTablesError({ metadata })).toBeNull();
  });
});

describe('only a readable reason proves that nothing was sent', () => {
  const proof = createNotSentError(NotSentReason.NOT_SENT_REASON_FENCED_OFF, 'fence 3 is past');

  test('and then it is reported', () => {
    expect(proof.code).toBe(status.FAILED_PRECONDITION);
    expect(findNotSent(proof)).toEqual({ reason: 'NOT_SENT_REASON_FENCED_OFF', detail: 'fence 3 is past' });
  });

  test.each<[string, { code: status; metadata: Metadata }]>([
    ['FAILED_PRECONDITION alone', { code: status.FAILED_PRECONDITION, metadata: new Metadata() }],
    ['the trailer under another status', { ...proof, code: status.UNAVAILABLE }],
    ['no reason', createNotSentError(NotSentReason.NOT_SENT_REASON_UNSPECIFIED, 'x')],
    ['a reason from the future', { ...proof, metadata: trailer(NOT_SENT_TRAILER, Buffer.from([0x08, 99])) }],
    ['half a message', { ...proof, metadata: trailer(NOT_SENT_TRAILER, Buffer.from([0x12, 9, 65])) }],
  ])('%s proves nothing', (_name, failure) => {
    expect(findNotSent(failure)).toBeNull();
  });
});

function trailer(name: string, bytes: Buffer): Metadata {
  const metadata = new Metadata();
  metadata.set(name, bytes);
  return metadata;
}

function tables(errorCode: TablesErrorCode): Buffer {
  return Buffer.from(TablesError.encode({ errorCode, errorReason: 'why' }).finish());
}
