import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testId } from '@pos/core/testing';
import { defineStatement } from '@pos/postgres/statements';
import { saveUncomparedDay } from '@pos/store/reconciliation';
import { ApiTestEnvironment } from '../testing/api-test-environment.js';
import { openDifference } from '../testing/reconciliation-requests.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const DUE = defineStatement(
  'test_due_reconciliations',
  `select subject from timers where account_id = $1 and environment = $2 and kind = 'reconciliation'
     and due_at <= clock_timestamp() order by subject`,
);

async function readJson<T>(path: string): Promise<T> {
  const answer = await testEnvironment.sendRequest('GET', path);
  expect([path, answer.status]).toEqual([path, 200]);
  return JSON.parse(answer.text) as T;
}

interface DifferencePage {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

test('an open difference is an alarm on the pending list until an operator answers it, and the answer is kept', async () => {
  const intentId = testId('paymentIntent');
  const id = await openDifference(testEnvironment, { paymentIntentId: intentId });
  const isListed = async (): Promise<unknown> =>
    (await readJson<{ paymentId: string }[]>('/pay-at-table/pending')).find(({ paymentId }) => paymentId === id);
  expect(await isListed()).toMatchObject({
    ...{ state: 'Difference', alarm: true, baseAmount: 2001, currency: 'GBP', paymentIntentId: intentId },
    lastError: 'the acquirer booked 2001 GBP, we asked for 2000 GBP',
  });
  const answered = await testEnvironment.sendRequest('POST', `/reconciliation/differences/${id}/answer`, {
    body: { note: 'a fee of the acquirer' },
  });
  expect([answered.status, (JSON.parse(answered.text) as { state: string }).state]).toEqual([200, 'Answered']);
  expect(await isListed()).toBeUndefined();
  const calls = await readJson<DifferencePage>('/pay-at-table/operator-calls');
  expect(calls.data[0]).toMatchObject({
    ...{ action: 'AnswerDifference', subject: id, note: 'a fee of the acquirer', outcome: 'Done' },
    ...{ stateBefore: 'Open', stateAfter: 'Answered' },
  });
  await testEnvironment.sendRequest('POST', `/reconciliation/differences/${id}/answer`, {
    body: { note: 'once more' },
  });
  const [refused] = (await readJson<DifferencePage>('/pay-at-table/operator-calls')).data;
  expect(refused).toMatchObject({ subject: id, outcome: 'Refused', refusal: 'difference_not_answerable' });
});

test('days that wait for settlement, and acquirers that could not be read, are not reported as compared', async () => {
  await testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) => {
    saveUncomparedDay(tx, { acquirer: 'north', day: '2026-03-02', reason: 'WaitingForSettlement', problem: null });
    saveUncomparedDay(tx, { acquirer: 'south', day: '2026-03-03', reason: 'BooksUnread', problem: 'it is down' });
    await Promise.resolve();
  });
  const since = expect.stringMatching(/Z$/);
  expect(await readJson('/reconciliation')).toMatchObject({
    uncomparedDays: [
      { acquirer: 'north', day: '2026-03-02', reason: 'WaitingForSettlement', since },
      { acquirer: 'south', day: '2026-03-03', reason: 'BooksUnread', problem: 'it is down', since },
    ],
  });
});

test('a broken chain has no amount, and is listed nevertheless', async () => {
  const id = await openDifference(testEnvironment, {
    kind: 'BrokenChain',
    amount: null,
    theirs: null,
    says: 'record 2 is missing',
  });
  const pending = await readJson<{ paymentId: string }[]>('/pay-at-table/pending');
  expect(pending.find(({ paymentId }) => paymentId === id)).toMatchObject({ baseAmount: 0, currency: 'XXX' });
  const { data } = await readJson<DifferencePage>('/reconciliation/differences?state=Open');
  const listed = data.find((each) => each['id'] === id);
  expect(listed).toMatchObject({ kind: 'BrokenChain', says: 'record 2 is missing', state: 'Open' });
  expect(listed).not.toHaveProperty('amount');
});

test('differences are listed page by page, newest first, and by their state', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(await openDifference(testEnvironment));
  interface Page extends DifferencePage {
    readonly after: string | null;
  }
  const first = await readJson<Page>('/reconciliation/differences?limit=2');
  expect(first.data.map((each) => each['id'])).toEqual([ids[2], ids[1]]);
  const second = await readJson<Page>(`/reconciliation/differences?limit=2&after=${first.after ?? ''}`);
  expect(second.data[0]).toMatchObject({ id: ids[0] });
  await testEnvironment.sendRequest('POST', `/reconciliation/differences/${ids[0]!}/answer`, {
    body: { note: 'seen' },
  });
  const answered = await readJson<Page>('/reconciliation/differences?state=Answered');
  expect(answered.data[0]).toMatchObject({ id: ids[0], state: 'Answered' });
  expect((await readJson<Page>('/reconciliation/differences?state=Closed')).data).toEqual([]);
});

test('a reconciliation that an operator requests makes both checks due, and is in the audit log', async () => {
  const body = { from: '2026-02-27T00:00:00Z', to: '2026-03-01T00:00:00Z', note: 'the bank called' };
  const started = await testEnvironment.sendRequest('POST', '/reconciliation/start', { body });
  expect(started.status).toBe(200);
  const span = { requestedFrom: '2026-02-27T00:00:00.000Z', requestedTo: '2026-03-01T00:00:00.000Z' };
  expect(JSON.parse(started.text)).toMatchObject(span);
  expect(await readJson('/reconciliation')).toMatchObject(span);
  const { accountId, environment } = testEnvironment.sandbox;
  const due = await testEnvironment.testDatabase.database.read(testEnvironment.sandbox, (reader) =>
    reader.query(DUE, [accountId, environment]),
  );
  expect(due).toEqual([{ subject: 'acquirer' }, { subject: 'chains' }]);
  const calls = await readJson<DifferencePage>('/pay-at-table/operator-calls');
  expect(calls.data[0]).toMatchObject({
    ...{ action: 'StartReconciliation', note: body.note },
    subject: '2026-02-27T00:00:00.000Z/2026-03-01T00:00:00.000Z',
  });
});
