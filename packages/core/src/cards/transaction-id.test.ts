import { expect, test } from '@jest/globals';
import { getAcquirersTransactionId, toTransactionIds } from './transaction-id.js';

const UUID = '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f';

test('an id of an acquirer that is a UUID stays as it is', () => {
  expect(toTransactionIds('ref-1', UUID)).toEqual({ transactionId: UUID });
  expect(getAcquirersTransactionId({ transactionId: UUID }, 'ref-1')).toBe(UUID);
});

test.each(['000123', 'TXN/2026-11-27/000000001', '0190f3c27a517d339f116a1b2c3d4e5f', 'x'.repeat(200)])(
  '%s is kept, and has one UUID outside: the same for the call, another for every other call',
  (text) => {
    const ids = toTransactionIds('ref-1', text);
    expect(ids.acquirerTransactionId).toBe(text);
    expect(ids.transactionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(toTransactionIds('ref-1', text)).toEqual(ids);
    expect(toTransactionIds('ref-2', text).transactionId).not.toBe(ids.transactionId);
    expect(getAcquirersTransactionId(ids, 'ref-1')).toBe(text);
  },
);

test('an acquirer without an id has none, and the transaction has a UUID all the same', () => {
  const ids = toTransactionIds('ref-1', '');
  expect(ids).toEqual({ transactionId: toTransactionIds('ref-1', 'a').transactionId });
  expect(getAcquirersTransactionId(ids, 'ref-1')).toBe('');
});
