import { randomUUID } from 'node:crypto';
import type { Finding } from '@pos/core/ledger';
import { gbp } from '@pos/core/testing';
import { recordFindings } from '@pos/store/reconciliation';
import { type AcceptedRequest, createRequest, type RefusalCase } from './money-requests.js';
import type { ApiTestEnvironment } from './api-test-environment.js';

type EnvironmentGetter = () => ApiTestEnvironment;

const NOTE_BODY = { note: 'a fee of the acquirer, agreed' };
const START_BODY = { from: '2026-02-27T00:00:00Z', to: '2026-03-01T00:00:00Z', note: 'the bank called' };
const DIFFERENCES_PATH = '/reconciliation/differences';
const START_PATH = '/reconciliation/start';
const buildDifferenceAnswerPath = (id: string): string => `${DIFFERENCES_PATH}/${id}/answer`;

/** A booking that the acquirer lists with another amount than we sent; returns its id. */
export async function openDifference(
  testEnvironment: ApiTestEnvironment,
  changes: Partial<Finding> = {},
): Promise<string> {
  const finding: Finding = {
    ...{ kind: 'OtherAmount', reference: randomUUID(), paymentIntentId: null, amount: gbp(2_001) },
    ...{ ours: 'Authorise of 2000 GBP', theirs: 'Authorise of 2001 GBP' },
    ...{ says: 'the acquirer booked 2001 GBP, we asked for 2000 GBP', happenedAt: new Date() },
    ...changes,
  };
  await testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, (tx) =>
    recordFindings(tx, { kinds: [finding.kind], references: [finding.reference] }, [finding]),
  );
  const page = await testEnvironment.sendRequest('GET', `${DIFFERENCES_PATH}?limit=100`);
  const { data } = JSON.parse(page.text) as { data: { id: string; reference: string }[] };
  return data.find(({ reference }) => reference === finding.reference)!.id;
}

/** An accepted request for each operation on reconciliations. */
export function createReconciliationRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    readReconciliation: () => Promise.resolve({ path: '/reconciliation' }),
    startReconciliation: () =>
      Promise.resolve({ path: START_PATH, body: START_BODY, invalid: { body: { from: 'yesterday', note: '' } } }),
    listReconciliationDifferences: () => Promise.resolve({ path: DIFFERENCES_PATH, invalid: { query: '?state=Gone' } }),
    answerReconciliationDifference: async () => ({
      path: buildDifferenceAnswerPath(await openDifference(testEnvironment())),
      body: NOTE_BODY,
      invalid: { body: { note: '' } },
    }),
  };
}

/** The refusals that each operation on reconciliations declares for itself. */
// oxfmt-ignore
export function createReconciliationRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const wrongSpan = (members: string[], body: object): RefusalCase =>
    ['startReconciliation', 'validation_failed', members, () => createRequest(START_PATH, { ...START_BODY, ...body })];
  const unknown = (id: () => Promise<string> | string, key?: () => string): RefusalCase =>
    ['answerReconciliationDifference', 'difference_not_found', [], async () => createRequest(buildDifferenceAnswerPath(await id()), NOTE_BODY, key?.())];
  return [
    wrongSpan(['from'], { from: undefined }),
    wrongSpan(['from'], { from: START_BODY.to }),
    wrongSpan(['from'], { from: '2026-03-02T00:00:00Z' }),
    wrongSpan(['from'], { from: '2026-01-28T23:59:59Z' }),
    wrongSpan(['from'], { from: '2199-01-01T00:00:00Z', to: '2199-01-02T00:00:00Z' }),
    wrongSpan(['from'], { from: '2199-01-01T00:00:00Z', to: undefined }),
    wrongSpan(['to'], { to: 'today' }),
    wrongSpan(['note'], { note: 'x'.repeat(1025) }),
    wrongSpan(['note'], { note: 'paid by 4242 4242 4242 4242' }),
    ['startReconciliation', 'acquirer_not_configured', [], () => createRequest(START_PATH, START_BODY, testEnvironment().keys.production)],
    unknown(() => randomUUID()),
    unknown(() => 'x'),
    unknown(() => '%00'),
    unknown(() => encodeURIComponent("' or 1=1 --")),
    unknown(() => openDifference(testEnvironment()), () => testEnvironment().keys.foreign),
    unknown(() => openDifference(testEnvironment()), () => testEnvironment().keys.production),
    ['answerReconciliationDifference', 'difference_not_answerable', [], async () => {
      const path = buildDifferenceAnswerPath(await openDifference(testEnvironment()));
      await testEnvironment().sendRequest('POST', path, { body: NOTE_BODY });
      return createRequest(path, NOTE_BODY);
    }],
  ];
}
