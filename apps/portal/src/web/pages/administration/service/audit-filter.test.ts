import { expect, test } from '@jest/globals';
import { AuditFilter } from './audit-filter.js';

test.each([
  ['an account', { account: 'acc_1' }, { account: 'acc_1' }],
  ['the service itself', { isSystem: true }, { isSystem: true }],
  ['both, of which the account decides', { account: 'acc_1', isSystem: true }, { account: 'acc_1' }],
  ['an action that does not exist', { action: 'Steal' }, {}],
  ['a day that does not exist', { from: '2026-13-01', to: 'today' }, {}],
  ['an actor that is too long', { actor: 'x'.repeat(201) }, {}],
  ['members that are no text', { actor: 7, account: {}, after: [] }, {}],
  ['members of other pages', { status: 'Captured' }, {}],
])('an address with %s is read', (_, search, filter) => {
  expect(AuditFilter.parse(search)).toEqual(filter);
});

test('both days are inclusive where the browser is', () => {
  const { from, to } = AuditFilter.toQuery({ from: '2026-03-01', to: '2026-03-01' }, 50);
  const hours = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 3_600_000;
  expect(hours).toBe(24);
});
