import { randomUUID } from 'node:crypto';
import type { Finding } from '@pos/core/reconciliation';
import { gbp } from '@pos/core/testing';
import { recordFindings } from '@pos/store/reconciliation-differences';
import { type Accepted, at, type Own } from '../payment-intents/testing.js';
import type { ApiWorld } from '../testing.js';

type World = () => ApiWorld;

const NOTE = { note: 'a fee of the acquirer, agreed' };
const START = { from: '2026-02-27T00:00:00Z', to: '2026-03-01T00:00:00Z', note: 'the bank called' };
const DIFFERENCES = '/reconciliation/differences';
const START_PATH = '/reconciliation/start';
const answerOf = (id: string): string => `${DIFFERENCES}/${id}/answer`;

/** A booking that the acquirer lists with another amount than we asked for; its id. */
export async function openDifference(world: ApiWorld, changes: Partial<Finding> = {}): Promise<string> {
  const finding: Finding = {
    ...{ kind: 'OtherAmount', reference: randomUUID(), paymentIntentId: null, amount: gbp(2_001) },
    ...{ ours: 'Authorise of 2000 GBP', theirs: 'Authorise of 2001 GBP' },
    ...{ says: 'the acquirer booked 2001 GBP, we asked for 2000 GBP', happenedAt: new Date() },
    ...changes,
  };
  await world.place.database.transact(world.sandbox, (tx) =>
    recordFindings(tx, { kinds: [finding.kind], references: [finding.reference] }, [finding]),
  );
  const page = await world.send('GET', `${DIFFERENCES}?limit=100`);
  const { data } = JSON.parse(page.text) as { data: { id: string; reference: string }[] };
  return data.find(({ reference }) => reference === finding.reference)!.id;
}

/** A request of each operation on reconciliations, which it accepts. */
export function reconciliationRequests(world: World): Readonly<Record<string, () => Promise<Accepted>>> {
  return {
    readReconciliation: () => Promise.resolve({ path: '/reconciliation' }),
    startReconciliation: () =>
      Promise.resolve({ path: START_PATH, body: START, wrong: { body: { from: 'yesterday', note: '' } } }),
    listReconciliationDifferences: () => Promise.resolve({ path: DIFFERENCES, wrong: { query: '?state=Gone' } }),
    answerReconciliationDifference: async () => ({
      path: answerOf(await openDifference(world())),
      body: NOTE,
      wrong: { body: { note: '' } },
    }),
  };
}

/** How each operation on reconciliations refuses by its own rules. */
// prettier-ignore
export function reconciliationRefusals(world: World): readonly Own[] {
  const wrongSpan = (members: string[], body: object): Own =>
    ['startReconciliation', 'validation_failed', members, () => at(START_PATH, { ...START, ...body })];
  const unknown = (id: () => Promise<string> | string, key?: () => string): Own =>
    ['answerReconciliationDifference', 'difference_not_found', [], async () => at(answerOf(await id()), NOTE, key?.())];
  return [
    wrongSpan(['from'], { from: undefined }),
    wrongSpan(['from'], { from: START.to }),
    wrongSpan(['from'], { from: '2026-03-02T00:00:00Z' }),
    wrongSpan(['from'], { from: '2026-01-28T23:59:59Z' }),
    wrongSpan(['from'], { from: '2199-01-01T00:00:00Z', to: '2199-01-02T00:00:00Z' }),
    wrongSpan(['from'], { from: '2199-01-01T00:00:00Z', to: undefined }),
    wrongSpan(['to'], { to: 'today' }),
    wrongSpan(['note'], { note: 'x'.repeat(1025) }),
    wrongSpan(['note'], { note: 'paid by 4242 4242 4242 4242' }),
    ['startReconciliation', 'acquirer_not_configured', [], () => at(START_PATH, START, world().keys.production)],
    unknown(() => randomUUID()),
    unknown(() => 'x'),
    unknown(() => '%00'),
    unknown(() => encodeURIComponent("' or 1=1 --")),
    unknown(() => openDifference(world()), () => world().keys.foreign),
    unknown(() => openDifference(world()), () => world().keys.production),
    ['answerReconciliationDifference', 'difference_not_answerable', [], async () => {
      const path = answerOf(await openDifference(world()));
      await world().send('POST', path, { body: NOTE });
      return at(path, NOTE);
    }],
  ];
}
