import type { SetupIntentStatus } from '@pos/core/setup-intent';
import {
  authorise,
  complete,
  declineSetup,
  expireCard,
  expireSetup,
  giveUp,
  type SetupDecision,
} from '@pos/core/setup-intent';
import { approvalOf, declineOf, NOTHING, VISA } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/timespan';
import { applySetupDecision } from '@pos/payments/setup-intents';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import * as rest from '@pos/rest-contracts/setup-intent-operations';
import { lockSetupIntent } from '@pos/store/setup-intents';
import { type Accepted, at, type Own } from '../payment-intents/testing.js';
import type { ApiWorld } from '../testing.js';

type World = () => ApiWorld;

export const NEW_SETUP = {
  reference: 'Saturday, table 7',
  merchantInitiatedTransactionType: 'NoShow',
  terms: 'Whoever does not come pays £25.00.',
} as const;
export const UNKNOWN_SETUP = `si_sandbox_${'A'.repeat(22)}`;

export function createSetup(
  world: ApiWorld,
  more: Partial<SentBodyOf<typeof rest.createSetupIntent>> = {},
  key = world.keys.full,
) {
  return world.client(key)(rest.createSetupIntent, { body: { ...NEW_SETUP, ...more } });
}

/** The moves that lead to a status, as those make them who have a card in hand or whose time has come. */
const WAYS: Readonly<
  Record<SetupIntentStatus, readonly ((setup: SetupDecision['setup'], now: Date) => SetupDecision | null)[]>
> = {
  Created: [],
  Authorized: [(setup, now) => authorise(setup, APPROVAL, now)],
  Expired: [(setup) => expireSetup(setup, { now: setup.expireAt, hasRunningAttempt: false })],
  CardExpired: [
    (setup, now) => authorise(setup, APPROVAL, now),
    (setup) => expireCard(setup, { now: new Date(Date.parse(EXPIRY) + DAY_MS), hasRunningAttempt: false }),
  ],
  Canceled: [(setup, now) => giveUp(setup, { now, hasRunningAttempt: false, includeAuthorized: false })],
  Completed: [(setup, now) => authorise(setup, APPROVAL, now), (setup, now) => complete(setup, APPROVAL, now)],
  Closed: [
    (setup, now) => authorise(setup, APPROVAL, now),
    (setup, now) => giveUp(setup, { now, hasRunningAttempt: false, includeAuthorized: true }),
  ],
};
const EXPIRY = '2999-12-31';
const APPROVAL = { ...approvalOf(NOTHING), card: { ...VISA, expiryDate: EXPIRY } };

/** A setup intent of the account's sandbox in a status. */
export async function setupIn(
  world: ApiWorld,
  status: SetupIntentStatus,
  more: Parameters<typeof createSetup>[1] = {},
) {
  const { id } = await createSetup(world, more);
  await bringSetup(world, id, status);
  return id;
}

/** Brings a new setup intent there. */
export async function bringSetup(world: ApiWorld, id: string, status: SetupIntentStatus): Promise<void> {
  for (const way of WAYS[status]) {
    await world.place.database.transact(world.sandbox, async (tx) => {
      const locked = await lockSetupIntent(tx, id);
      const decision = locked === null ? null : way(locked.setup, tx.now);
      if (locked === null || decision === null) throw new Error(`${id} does not become ${status}`);
      await applySetupDecision(tx, locked, decision);
    });
  }
}

/** Has the acquirer refuse the card of a new setup intent; `isCardShown`: and say which card it was. */
export async function refuseSetup(world: ApiWorld, id: string, isCardShown: boolean): Promise<void> {
  await world.place.database.transact(world.sandbox, async (tx) => {
    const locked = await lockSetupIntent(tx, id);
    if (locked === null) throw new Error(`no setup intent ${id}`);
    const decline = { ...declineOf(), card: isCardShown ? APPROVAL.card : null };
    await applySetupDecision(tx, locked, declineSetup(locked.setup, decline, tx.now));
  });
}

const OPEN_CALL = `insert into acquirer_calls
  (account_id, environment, reference, kind, setup_intent_id, amount, currency, state, deadline_at, version, created_at, updated_at)
  values ($1, 'sandbox', $2, 'Authorise', $2, 0, 'GBP', 'Sent', now(), 1, now(), now()) returning reference`;

/** A setup intent on which an attempt runs. */
async function busySetup(world: ApiWorld): Promise<string> {
  const { id } = await createSetup(world);
  await world.look(OPEN_CALL, [world.sandbox.accountId, id]);
  return id;
}

/** A request of each operation on setup intents, which it accepts. */
export function setupRequests(world: World): Readonly<Record<string, () => Promise<Accepted>>> {
  const created = () => setupIn(world(), 'Created');
  return {
    createSetupIntent: () => Promise.resolve({ path: '/setup-intents', body: NEW_SETUP, wrong: { body: {} } }),
    readSetupIntent: async () => ({ path: `/setup-intents/${await created()}` }),
    cancelSetupIntent: async () => ({
      path: `/setup-intents/${await created()}`,
      wrong: { query: '?includeAuthorized=perhaps' },
    }),
    refreshSetupSecret: async () => ({ path: `/setup-intents/${await created()}/${REFRESH}` }),
    readPublicSetupIntent: async () => ({ path: `/setup-intents/public/${await created()}` }),
    refreshPublicSetupSecret: async () => ({ path: `/setup-intents/public/${await created()}/${REFRESH}` }),
  };
}

const REFRESH = 'refresh-client-session-secret';

/** How each operation on setup intents refuses by its own rules. */
// prettier-ignore
export function setupRefusals(world: World): readonly Own[] {
  const path = async (status: SetupIntentStatus, { lead = '', tail = '' } = {}) => `/setup-intents/${lead}${await setupIn(world(), status)}${tail}`;
  const byKey = { tail: `/${REFRESH}` };
  const byPayer = { lead: 'public/', ...byKey };
  return [
  ['readSetupIntent', 'setup_intent_not_found', [], () => at(`/setup-intents/${UNKNOWN_SETUP}`)],
  ['readSetupIntent', 'setup_intent_not_found', [], async () => at(await path('Created'), undefined, world().keys.foreign)],
  ['readSetupIntent', 'setup_intent_not_found', [], async () => at(await path('Created'), undefined, world().keys.production)],
  ['readSetupIntent', 'setup_intent_not_found', [], async () => at(`/setup-intents/${(await world().intent()).id}`)],
  ['readSetupIntent', 'setup_intent_not_found', [], () => at('/setup-intents/%00')],
  ['readSetupIntent', 'setup_intent_not_found', [], () => at(`/setup-intents/${encodeURIComponent("' or 1=1 --")}`)],
  ['cancelSetupIntent', 'setup_intent_not_found', [], () => at(`/setup-intents/${UNKNOWN_SETUP}`)],
  ['cancelSetupIntent', 'setup_intent_not_found', [], async () => at(await path('Created'), undefined, world().keys.foreign)],
  ['cancelSetupIntent', 'setup_intent_busy', [], async () => at(`/setup-intents/${await busySetup(world())}`)],
  ['cancelSetupIntent', 'setup_intent_not_cancelable', [], async () => at(await path('Authorized'))],
  ['cancelSetupIntent', 'setup_intent_not_cancelable', [], async () => at(await path('Completed', { tail: '?includeAuthorized=true' }))],
  ['refreshSetupSecret', 'setup_intent_not_found', [], () => at(`/setup-intents/${UNKNOWN_SETUP}/${REFRESH}`)],
  ['refreshSetupSecret', 'setup_intent_not_found', [], async () => at(await path('Created', byKey), undefined, world().keys.foreign)],
  ['refreshSetupSecret', 'setup_intent_busy', [], async () => at(`/setup-intents/${await busySetup(world())}/${REFRESH}`)],
  ['refreshSetupSecret', 'secret_not_refreshable', [], async () => at(await path('Expired', byKey))],
  ['readPublicSetupIntent', 'setup_intent_not_found', [], () => at(`/setup-intents/public/${UNKNOWN_SETUP}`)],
  ['readPublicSetupIntent', 'setup_intent_not_found', [], async () => at(`/setup-intents/public/${(await world().intent()).id}`)],
  ['readPublicSetupIntent', 'setup_intent_not_found', [], async () => at(await path('Canceled', { lead: 'public/' }))],
  ['readPublicSetupIntent', 'setup_intent_not_found', [], async () => at(await path('Closed', { lead: 'public/' }))],
  ['refreshPublicSetupSecret', 'setup_intent_not_found', [], () => at(`/setup-intents/public/x/${REFRESH}`)],
  ['refreshPublicSetupSecret', 'setup_intent_not_found', [], async () => at(await path('Canceled', byPayer))],
  ['refreshPublicSetupSecret', 'setup_intent_busy', [], async () => at(`/setup-intents/public/${await busySetup(world())}/${REFRESH}`)],
  ['refreshPublicSetupSecret', 'secret_not_refreshable', [], async () => at(await path('Authorized', byPayer))],
  ];
}
