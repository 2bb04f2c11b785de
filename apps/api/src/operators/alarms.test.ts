import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROLES } from '@pos/core/identity';
import { raiseAlarm } from '@pos/payments/alarms';
import { type NewAlarm } from '@pos/payments/testing';
import * as rest from '@pos/rest-contracts/operators';
import { listTableOperatorCalls } from '@pos/rest-contracts/operators';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const ALARM = { kind: 'AcquirerCallOpen', message: 'A Capture is open.', details: { amount: 1250 } } as const;

const raiseTestAlarm = (alarm: Pick<NewAlarm, 'subject'> & Partial<NewAlarm>) =>
  testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, (tx) =>
    raiseAlarm(tx, { ...ALARM, ...alarm }),
  );

async function listAlarmsAbout(subject: string): Promise<rest.Alarm[]> {
  const { data } = await testEnvironment.createClient()(rest.listAlarms, { query: { limit: 100 } });
  return data.filter((alarm) => alarm.subject === subject);
}

const answerTestAlarm = (alarmId: string, sent: { readonly key?: string; readonly body?: object } = {}) =>
  testEnvironment.sendRequest('POST', `/alarms/${alarmId}/answer`, { body: { note: 'checked' }, ...sent });

test('an unanswered alarm is listed with its facts', async () => {
  const subject = randomUUID();
  await raiseTestAlarm({ subject });
  expect(await listAlarmsAbout(subject)).toMatchObject([
    { kind: 'AcquirerCallOpen', message: 'A Capture is open.', details: { amount: 1250 }, state: 'Unanswered' },
  ]);
});

test('an unanswered alarm is not raised again; another occurrence and another kind are', async () => {
  const subject = randomUUID();
  await raiseTestAlarm({ subject });
  await raiseTestAlarm({ subject, message: 'again' });
  await raiseTestAlarm({ subject, occurrence: 'second answer' });
  await raiseTestAlarm({ subject, kind: 'MoneyNotReturned' });
  expect((await listAlarmsAbout(subject)).map(({ message }) => message)).toEqual(Array(3).fill('A Capture is open.'));
});

test('an answered alarm keeps its answer, is in the audit log and may be raised again', async () => {
  const subject = randomUUID();
  await raiseTestAlarm({ subject });
  const [raised] = await listAlarmsAbout(subject);
  const answered = await answerTestAlarm(raised!.alarmId, { body: { note: 'the acquirer has corrected it' } });
  expect(parseJson(answered)).toMatchObject({ state: 'Answered', answer: { note: 'the acquirer has corrected it' } });
  const { data } = await testEnvironment.createClient()(listTableOperatorCalls, { query: { limit: 1 } });
  expect(data).toMatchObject([{ action: 'AnswerAlarm', subject: raised!.alarmId, outcome: 'Done' }]);
  await raiseTestAlarm({ subject });
  expect((await listAlarmsAbout(subject)).map(({ state }) => state)).toEqual(['Unanswered', 'Answered']);
  const { data: open } = await testEnvironment.createClient()(rest.listAlarms, {
    query: { limit: 100, state: 'Unanswered' },
  });
  expect(open.filter((alarm) => alarm.subject === subject)).toHaveLength(1);
});

test('an answer is refused for an answered, unknown or foreign alarm, and without the permission', async () => {
  const subject = randomUUID();
  await raiseTestAlarm({ subject });
  const [{ alarmId } = { alarmId: '' }] = await listAlarmsAbout(subject);
  const readOnly = await testEnvironment.addKey(testEnvironment.sandbox, undefined, ROLES['read-only']);
  expect((await answerTestAlarm(alarmId, { key: readOnly })).status).toBe(403);
  expect(await testEnvironment.findRefusal(await answerTestAlarm(alarmId, { key: testEnvironment.keys.foreign }))).toBe(
    'alarm_not_found',
  );
  expect(
    await testEnvironment.findRefusal(await answerTestAlarm(alarmId, { key: testEnvironment.keys.production })),
  ).toBe('alarm_not_found');
  expect(await testEnvironment.findRefusal(await answerTestAlarm(randomUUID()))).toBe('alarm_not_found');
  expect(await testEnvironment.findRefusal(await answerTestAlarm('x'))).toBe('alarm_not_found');
  expect((await answerTestAlarm(alarmId, { body: { note: '' } })).status).toBe(400);
  expect((await answerTestAlarm(alarmId)).status).toBe(200);
  expect(await testEnvironment.findRefusal(await answerTestAlarm(alarmId))).toBe('alarm_answered');
});

test('pages of alarms are newest first and contain only the account’s own', async () => {
  const subject = randomUUID();
  for (const occurrence of ['1', '2', '3']) {
    await raiseTestAlarm({ subject, occurrence, message: occurrence });
    // Alarms of the same millisecond have no defined order.
    await pause(2);
  }
  const first = await testEnvironment.createClient()(rest.listAlarms, { query: { limit: 2 } });
  const second = await testEnvironment.createClient()(rest.listAlarms, { query: { limit: 1, after: first.after! } });
  expect([...first.data, ...second.data].map(({ message }) => message)).toEqual(['3', '2', '1']);
  const foreign = await testEnvironment.createClient(testEnvironment.keys.foreign)(rest.listAlarms, { query: {} });
  expect(foreign.data).toEqual([]);
});
