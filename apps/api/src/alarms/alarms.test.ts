import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROLES } from '@pos/core/permissions';
import { type NewAlarm, raiseAlarm } from '@pos/payments/alarms';
import * as rest from '@pos/rest-contracts/alarms';
import { listTableOperatorCalls } from '@pos/rest-contracts/pay-at-table';
import { ApiWorld, jsonOf } from '../testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const ALARM = { kind: 'AcquirerCallOpen', message: 'A Capture is open.', details: { amount: 1250 } } as const;

const raise = (alarm: Pick<NewAlarm, 'subject'> & Partial<NewAlarm>) =>
  world.place.database.transact(world.sandbox, (tx) => raiseAlarm(tx, { ...ALARM, ...alarm }));

async function alarmsAbout(subject: string): Promise<rest.Alarm[]> {
  const { data } = await world.client()(rest.listAlarms, { query: { limit: 100 } });
  return data.filter((alarm) => alarm.subject === subject);
}

const answer = (alarmId: string, sent: { readonly key?: string; readonly body?: object } = {}) =>
  world.send('POST', `/alarms/${alarmId}/answer`, { body: { note: 'checked' }, ...sent });

test('an alarm is listed with its facts, unanswered', async () => {
  const subject = randomUUID();
  await raise({ subject });
  expect(await alarmsAbout(subject)).toMatchObject([
    { kind: 'AcquirerCallOpen', message: 'A Capture is open.', details: { amount: 1250 }, state: 'Unanswered' },
  ]);
});

test('an unanswered alarm is not raised again; another occurrence and another kind are', async () => {
  const subject = randomUUID();
  await raise({ subject });
  await raise({ subject, message: 'again' });
  await raise({ subject, occurrence: 'second answer' });
  await raise({ subject, kind: 'MoneyNotReturned' });
  expect((await alarmsAbout(subject)).map(({ message }) => message)).toEqual(Array(3).fill('A Capture is open.'));
});

test('an answered alarm keeps its answer, is in the audit log, and may be raised again', async () => {
  const subject = randomUUID();
  await raise({ subject });
  const [raised] = await alarmsAbout(subject);
  const answered = await answer(raised!.alarmId, { body: { note: 'the acquirer has corrected it' } });
  expect(jsonOf(answered)).toMatchObject({ state: 'Answered', answer: { note: 'the acquirer has corrected it' } });
  const { data } = await world.client()(listTableOperatorCalls, { query: { limit: 1 } });
  expect(data).toMatchObject([{ action: 'AnswerAlarm', subject: raised!.alarmId, outcome: 'Done' }]);
  await raise({ subject });
  expect((await alarmsAbout(subject)).map(({ state }) => state)).toEqual(['Unanswered', 'Answered']);
  const { data: open } = await world.client()(rest.listAlarms, { query: { limit: 100, state: 'Unanswered' } });
  expect(open.filter((alarm) => alarm.subject === subject)).toHaveLength(1);
});

test('an answer is refused to an answered, an unknown and a foreign alarm, and without the permission', async () => {
  const subject = randomUUID();
  await raise({ subject });
  const [{ alarmId } = { alarmId: '' }] = await alarmsAbout(subject);
  const readOnly = await world.addKey(world.sandbox, undefined, ROLES['read-only']);
  expect((await answer(alarmId, { key: readOnly })).status).toBe(403);
  expect(await world.refusalOf(await answer(alarmId, { key: world.keys.foreign }))).toBe('alarm_not_found');
  expect(await world.refusalOf(await answer(alarmId, { key: world.keys.production }))).toBe('alarm_not_found');
  expect(await world.refusalOf(await answer(randomUUID()))).toBe('alarm_not_found');
  expect(await world.refusalOf(await answer('x'))).toBe('alarm_not_found');
  expect((await answer(alarmId, { body: { note: '' } })).status).toBe(400);
  expect((await answer(alarmId)).status).toBe(200);
  expect(await world.refusalOf(await answer(alarmId))).toBe('alarm_answered');
});

test('pages of alarms follow each other, newest first, and are the account’s own', async () => {
  const subject = randomUUID();
  for (const occurrence of ['1', '2', '3']) await raise({ subject, occurrence, message: occurrence });
  const first = await world.client()(rest.listAlarms, { query: { limit: 2 } });
  const second = await world.client()(rest.listAlarms, { query: { limit: 1, after: first.after! } });
  expect([...first.data, ...second.data].map(({ message }) => message)).toEqual(['3', '2', '1']);
  const foreign = await world.client(world.keys.foreign)(rest.listAlarms, { query: {} });
  expect(foreign.data).toEqual([]);
});
