import { describe, expect, test } from '@jest/globals';
import type { PaymentView } from '@pos/rest-contracts/portal';
import { type PortalTestEnvironment, readBody, type TestAnswer } from './portal-test-environment.js';

const PATH = '/portal/payment-views';
const UNPAID = { name: 'Unpaid', filter: { status: 'Created' } };

/** Plays how users name filters of their payments. */
export function testPaymentViews(environment: () => PortalTestEnvironment): void {
  const create = (cookie: string, body: unknown) => environment().send('POST', PATH, { cookie, body });
  const list = async (cookie: string) =>
    readBody<PaymentView[]>((await environment().send('GET', PATH, { cookie })).text);
  const change = (method: 'PATCH' | 'DELETE', cookie: string, more: { id: string; body?: unknown }) =>
    environment().send(method, `${PATH}/${more.id}`, { cookie, ...(more.body !== undefined && { body: more.body }) });

  describe('saved views', () => {
    test('a view is saved, renamed and deleted, and nobody else sees it', async () => {
      const [cookie, other] = [await environment().signInAs('viewer'), await environment().signInAs('viewer')];
      const { id } = readBody<PaymentView>((await create(cookie, UNPAID)).text);
      expect(await list(cookie)).toEqual([{ id, ...UNPAID }]);
      expect(await list(other)).toEqual([]);
      expectRefused(await change('DELETE', other, { id }), 'viewId');
      expectRefused(await change('PATCH', other, { id, body: { name: 'Mine' } }), 'viewId');
      expect((await change('PATCH', cookie, { id, body: { name: 'Still unpaid' } })).status).toBe(200);
      expect(await list(cookie)).toEqual([{ id, ...UNPAID, name: 'Still unpaid' }]);
      expect((await change('DELETE', cookie, { id })).status).toBe(204);
      expect(await list(cookie)).toEqual([]);
    });

    test('two views of a user have different names, in any letter case', async () => {
      const cookie = await environment().signInAs('viewer');
      await create(cookie, UNPAID);
      const { id } = readBody<PaymentView>((await create(cookie, { ...UNPAID, name: 'June' })).text);
      expectRefused(await create(cookie, { ...UNPAID, name: 'UNPAID' }), 'name');
      expectRefused(await change('PATCH', cookie, { id, body: { name: 'unpaid' } }), 'name');
      expect((await change('PATCH', cookie, { id, body: { name: 'JUNE' } })).status).toBe(200);
    });

    test('views that two pages save at once are both stored, and the fifty-first is refused', async () => {
      const cookie = await environment().signInAs('viewer');
      const names = Array.from({ length: 50 }, (_, place) => `view ${place}`);
      await Promise.all(names.map((name) => create(cookie, { ...UNPAID, name })));
      expect((await list(cookie)).map(({ name }) => name).sort()).toEqual(names.sort());
      expectRefused(await create(cookie, { ...UNPAID, name: 'one more' }), 'name');
    });

    test.each([
      ['name', { ...UNPAID, name: '' }],
      ['name', { ...UNPAID, name: 'x'.repeat(61) }],
      ['name', { filter: {} }],
      ['filter', { name: 'a' }],
      ['filter.status', { name: 'a', filter: { status: 'Paid' } }],
      ['filter.from', { name: 'a', filter: { from: '2026-02-30' } }],
      ['filter.to', { name: 'a', filter: { to: 'today' } }],
    ])('a view with a wrong %s is refused: %j', async (member, body) => {
      expectRefused(await create(await environment().signInAs('viewer'), body), member);
    });

    test('a stranger has no views', async () => {
      expect(await environment().send('GET', PATH)).toMatchObject({ reason: 'portal_session_missing' });
      expect(await environment().send('POST', PATH, { body: UNPAID })).toMatchObject({
        reason: 'portal_session_missing',
      });
    });
  });
}

function expectRefused(answer: TestAnswer, member: string): void {
  expect(answer).toMatchObject({ status: 400, reason: 'validation_failed' });
  expect(Object.keys(readBody<{ errors: object }>(answer.text).errors)).toEqual([member]);
}
