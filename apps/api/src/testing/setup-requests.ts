import {
  abandonSetup,
  authoriseSetup,
  completeSetup,
  declineSetup,
  expireCard,
  expireSetup,
  type SetupDecision,
  type SetupIntentStatus,
} from '@pos/core/setup-intents';
import { createApproval, getDecline, NOTHING, VISA } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import { commitSetupIntent } from '@pos/payments/testing';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import * as rest from '@pos/rest-contracts/setup-intents';
import { lockSetupIntent } from '@pos/store/payments';
import { type AcceptedRequest, createRequest, type RefusalCase } from './money-requests.js';
import type { ApiTestEnvironment } from './api-test-environment.js';

type EnvironmentGetter = () => ApiTestEnvironment;

export const NEW_SETUP_BODY = {
  reference: 'Saturday, table 7',
  merchantInitiatedTransactionType: 'NoShow',
  terms: 'A no-show pays £25.00.',
} as const;
export const UNKNOWN_SETUP = `si_sandbox_${'A'.repeat(22)}`;

export function createSetup(
  testEnvironment: ApiTestEnvironment,
  more: Partial<SentBodyOf<typeof rest.createSetupIntent>> = {},
  key = testEnvironment.keys.full,
) {
  return testEnvironment.createClient(key)(rest.createSetupIntent, { body: { ...NEW_SETUP_BODY, ...more } });
}

/** The moves that lead to a status, as the vault or the timers make them. */
const TRANSITIONS_TO: Readonly<
  Record<SetupIntentStatus, readonly ((setup: SetupDecision['setup'], now: Date) => SetupDecision | null)[]>
> = {
  Created: [],
  Authorized: [(setup, now) => authoriseSetup(setup, APPROVAL, now)],
  Expired: [(setup) => expireSetup(setup, { now: setup.expireAt, hasRunningAttempt: false })],
  CardExpired: [
    (setup, now) => authoriseSetup(setup, APPROVAL, now),
    (setup) => expireCard(setup, { now: new Date(Date.parse(CARD_EXPIRY) + DAY_MS), hasRunningAttempt: false }),
  ],
  Canceled: [(setup, now) => abandonSetup(setup, { now, hasRunningAttempt: false, includeAuthorized: false })],
  Completed: [
    (setup, now) => authoriseSetup(setup, APPROVAL, now),
    (setup, now) => completeSetup(setup, APPROVAL, now),
  ],
  Closed: [
    (setup, now) => authoriseSetup(setup, APPROVAL, now),
    (setup, now) => abandonSetup(setup, { now, hasRunningAttempt: false, includeAuthorized: true }),
  ],
};
const CARD_EXPIRY = '2999-12-31';
const APPROVAL = { ...createApproval(NOTHING), card: { ...VISA, expiryDate: CARD_EXPIRY } };

/** A setup intent of the account's sandbox in a status. */
export async function createSetupIn(
  testEnvironment: ApiTestEnvironment,
  status: SetupIntentStatus,
  more: Parameters<typeof createSetup>[1] = {},
) {
  const { id } = await createSetup(testEnvironment, more);
  await bringSetupTo(testEnvironment, id, status);
  return id;
}

/** Brings a new setup intent there. */
export async function bringSetupTo(
  testEnvironment: ApiTestEnvironment,
  id: string,
  status: SetupIntentStatus,
): Promise<void> {
  for (const way of TRANSITIONS_TO[status]) {
    await testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) => {
      const locked = await lockSetupIntent(tx, id);
      const decision = locked === null ? null : way(locked.setup, tx.now);
      if (locked === null || decision === null) throw new Error(`${id} does not become ${status}`);
      await commitSetupIntent(tx, locked, decision);
    });
  }
}

/** Lets the acquirer refuse the card of a new setup intent; `isCardShown`: with the card's details. */
export async function recordSetupDecline(
  testEnvironment: ApiTestEnvironment,
  id: string,
  isCardShown: boolean,
): Promise<void> {
  await testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) => {
    const locked = await lockSetupIntent(tx, id);
    if (locked === null) throw new Error(`no setup intent ${id}`);
    const decline = { ...getDecline(), card: isCardShown ? APPROVAL.card : null };
    await commitSetupIntent(tx, locked, declineSetup(locked.setup, decline, tx.now));
  });
}

const INSERT_OPEN_CALL = `insert into acquirer_calls
  (account_id, environment, merchant_id, reference, kind, setup_intent_id, amount, currency, state, deadline_at, version, created_at, updated_at)
  values ($1, 'sandbox', 'merchant-1', $2, 'Authorise', $2, 0, 'GBP', 'Sent', now(), 1, now(), now()) returning reference`;

/** A setup intent with a running attempt. */
async function createBusySetup(testEnvironment: ApiTestEnvironment): Promise<string> {
  const { id } = await createSetup(testEnvironment);
  await testEnvironment.queryRows(INSERT_OPEN_CALL, [testEnvironment.sandbox.accountId, id]);
  return id;
}

/** An accepted request for each operation on setup intents. */
export function createSetupRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  const created = () => createSetupIn(testEnvironment(), 'Created');
  return {
    createSetupIntent: () => Promise.resolve({ path: '/setup-intents', body: NEW_SETUP_BODY, invalid: { body: {} } }),
    readSetupIntent: async () => ({ path: `/setup-intents/${await created()}` }),
    cancelSetupIntent: async () => ({
      path: `/setup-intents/${await created()}`,
      invalid: { query: '?includeAuthorized=perhaps' },
    }),
    refreshSetupSecret: async () => ({ path: `/setup-intents/${await created()}/${REFRESH_PATH}` }),
    readPublicSetupIntent: async () => ({ path: `/setup-intents/public/${await created()}` }),
    refreshPublicSetupSecret: async () => ({ path: `/setup-intents/public/${await created()}/${REFRESH_PATH}` }),
  };
}

const REFRESH_PATH = 'refresh-client-session-secret';

/** The refusals that each operation on setup intents declares for itself. */
// oxfmt-ignore
export function createSetupRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const path = async (status: SetupIntentStatus, { lead = '', tail = '' } = {}) => `/setup-intents/${lead}${await createSetupIn(testEnvironment(), status)}${tail}`;
  const byKey = { tail: `/${REFRESH_PATH}` };
  const byPayer = { lead: 'public/', ...byKey };
  return [
  ['readSetupIntent', 'setup_intent_not_found', [], () => createRequest(`/setup-intents/${UNKNOWN_SETUP}`)],
  ['readSetupIntent', 'setup_intent_not_found', [], async () => createRequest(await path('Created'), undefined, testEnvironment().keys.foreign)],
  ['readSetupIntent', 'setup_intent_not_found', [], async () => createRequest(await path('Created'), undefined, testEnvironment().keys.production)],
  ['readSetupIntent', 'setup_intent_not_found', [], async () => createRequest(`/setup-intents/${(await testEnvironment().createIntent()).id}`)],
  ['readSetupIntent', 'setup_intent_not_found', [], () => createRequest('/setup-intents/%00')],
  ['readSetupIntent', 'setup_intent_not_found', [], () => createRequest(`/setup-intents/${encodeURIComponent("' or 1=1 --")}`)],
  ['cancelSetupIntent', 'setup_intent_not_found', [], () => createRequest(`/setup-intents/${UNKNOWN_SETUP}`)],
  ['cancelSetupIntent', 'setup_intent_not_found', [], async () => createRequest(await path('Created'), undefined, testEnvironment().keys.foreign)],
  ['cancelSetupIntent', 'setup_intent_busy', [], async () => createRequest(`/setup-intents/${await createBusySetup(testEnvironment())}`)],
  ['cancelSetupIntent', 'setup_intent_not_cancelable', [], async () => createRequest(await path('Authorized'))],
  ['cancelSetupIntent', 'setup_intent_not_cancelable', [], async () => createRequest(await path('Completed', { tail: '?includeAuthorized=true' }))],
  ['refreshSetupSecret', 'setup_intent_not_found', [], () => createRequest(`/setup-intents/${UNKNOWN_SETUP}/${REFRESH_PATH}`)],
  ['refreshSetupSecret', 'setup_intent_not_found', [], async () => createRequest(await path('Created', byKey), undefined, testEnvironment().keys.foreign)],
  ['refreshSetupSecret', 'setup_intent_busy', [], async () => createRequest(`/setup-intents/${await createBusySetup(testEnvironment())}/${REFRESH_PATH}`)],
  ['refreshSetupSecret', 'secret_not_refreshable', [], async () => createRequest(await path('Expired', byKey))],
  ['readPublicSetupIntent', 'setup_intent_not_found', [], () => createRequest(`/setup-intents/public/${UNKNOWN_SETUP}`)],
  ['readPublicSetupIntent', 'setup_intent_not_found', [], async () => createRequest(`/setup-intents/public/${(await testEnvironment().createIntent()).id}`)],
  ['readPublicSetupIntent', 'setup_intent_not_found', [], async () => createRequest(await path('Canceled', { lead: 'public/' }))],
  ['readPublicSetupIntent', 'setup_intent_not_found', [], async () => createRequest(await path('Closed', { lead: 'public/' }))],
  ['refreshPublicSetupSecret', 'setup_intent_not_found', [], () => createRequest(`/setup-intents/public/x/${REFRESH_PATH}`)],
  ['refreshPublicSetupSecret', 'setup_intent_not_found', [], async () => createRequest(await path('Canceled', byPayer))],
  ['refreshPublicSetupSecret', 'setup_intent_busy', [], async () => createRequest(`/setup-intents/public/${await createBusySetup(testEnvironment())}/${REFRESH_PATH}`)],
  ['refreshPublicSetupSecret', 'secret_not_refreshable', [], async () => createRequest(await path('Authorized', byPayer))],
  ];
}
