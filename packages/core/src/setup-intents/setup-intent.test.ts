import { describe, expect, test } from '@jest/globals';
import { isSecretUsable, withUsableSecret } from '../payment-intents/client-secret.js';
import { money } from '../money/money.js';
import { Refusal } from '../refusals/refusal.js';
import {
  authoriseSetup,
  challengeSetup,
  completeSetup,
  consumeSetupSecret,
  createSetup,
  declineSetup,
  expireCard,
  expireSetup,
  abandonSetup,
  isUsable,
  issueSetupSecret,
  requirePublic,
  SETUP_INTENT_STATUSES,
  SETUP_MOVES,
  type SetupDecision,
  type SetupIntent,
  storeSetupCard,
  undoLateSetup,
} from './setup-intent.js';
import {
  createApproval,
  buildSetup,
  getDecline,
  gbp,
  NOON,
  NOTHING,
  ORIGIN,
  getOutcome,
  createPastDate,
  formatMoves,
  createSetupIn,
  createSetupRequest,
  VISA,
} from '../testing/builders.js';
import { DAY_MS } from '../time/timespan.js';

const APPROVAL = createApproval(NOTHING, { reference: 'check-1' });
const CARD_END = new Date('2030-01-01T00:00:00.000Z');

test('the whole state machine has these moves', () => {
  expect(formatMoves(SETUP_MOVES)).toMatchInlineSnapshot(`
   "Created     challenge → Created, decline → Created, change → Created, authorise → Authorized, expire → Expired, expireCard → CardExpired, cancel → Canceled
   Authorized  use → Authorized, expireCard → CardExpired, complete → Completed, close → Closed
   Expired     (final)
   CardExpired (final)
   Canceled    (final)
   Completed   (final)
   Closed      (final)"
  `);
});

const still = (now: Date) => ({ now, hasRunningAttempt: false });
const paying = (now: Date) => ({ now, hasRunningAttempt: true });
const FAR = createPastDate(20 * 366 * DAY_MS);
const orNothing = (decision: SetupDecision | null) => (decision === null ? 'nothing' : decision.setup.status);
const status = ({ setup }: SetupDecision) => setup.status;

/** The answer of every operation in every state: the next status, or the code of its refusal. */
const OPERATIONS: Record<string, (setup: SetupIntent) => string> = {
  'a challenge': (setup) => status(challengeSetup(setup, APPROVAL, NOON)),
  'a decline': (setup) => status(declineSetup(setup, getDecline(), NOON)),
  'an approval': (setup) => status(authoriseSetup(setup, APPROVAL, NOON)),
  'an approval, too late': (setup) =>
    setup.status === 'Created' ? 'in time' : status(undoLateSetup(setup, APPROVAL, NOON)),
  'a card is stored': (setup) => status(storeSetupCard(setup, VISA, NOON)),
  'a charge': (setup) => status(completeSetup(setup, APPROVAL, NOON)),
  delete: (setup) => status(abandonSetup(setup, { ...still(NOON), includeAuthorized: false })),
  'delete, authorised too': (setup) => status(abandonSetup(setup, { ...still(NOON), includeAuthorized: true })),
  'delete while an attempt runs': (setup) => status(abandonSetup(setup, { ...paying(NOON), includeAuthorized: true })),
  'its time is over': (setup) => orNothing(expireSetup(setup, still(FAR))),
  'its time is over while an attempt runs': (setup) => orNothing(expireSetup(setup, paying(FAR))),
  'its card is over': (setup) => orNothing(expireCard(setup, still(FAR))),
  'its card is over while an attempt runs': (setup) => orNothing(expireCard(setup, paying(FAR))),
  'refresh secret': (setup) => status(issueSetupSecret(setup, { text: 'new', ...still(NOON) })),
  'refresh secret while an attempt runs': (setup) => status(issueSetupSecret(setup, { text: 'new', ...paying(NOON) })),
  'submit with the secret': (setup) => status(consumeSetupSecret(setup, NOON)),
  'name it in a payment': (setup) => (isUsable(setup) ? setup.status : 'no'),
  'look at it as payer': (setup) => {
    requirePublic(setup);
    return setup.status;
  },
};

test('every operation has one answer in every state', () => {
  const width = Math.max(...Object.keys(OPERATIONS).map((name) => name.length));
  const lines = Object.entries(OPERATIONS).map(([name, act]) => {
    const answers = SETUP_INTENT_STATUSES.map((each) =>
      getOutcome(
        () => act(createSetupIn(each)),
        (result) => result,
      ).replace('setup_intent_', ''),
    );
    return [name, ...answers];
  });
  const rows = [['', ...SETUP_INTENT_STATUSES], ...lines];
  const printed = rows.map(([name = '', ...cells]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padEnd(22))].join(' ').trimEnd(),
  );
  expect(`\n${printed.join('\n')}\n`).toMatchInlineSnapshot(`
   "
                                          Created                Authorized             Expired                CardExpired            Canceled               Completed              Closed
   a challenge                            Created                not_authorisable       not_authorisable       not_authorisable       not_authorisable       not_authorisable       not_authorisable
   a decline                              Created                not_authorisable       not_authorisable       not_authorisable       not_authorisable       not_authorisable       not_authorisable
   an approval                            Authorized             not_authorisable       not_authorisable       not_authorisable       not_authorisable       not_authorisable       not_authorisable
   an approval, too late                  in time                Authorized             Expired                CardExpired            Canceled               Completed              Closed
   a card is stored                       Created                not_authorisable       not_authorisable       not_authorisable       not_authorisable       not_authorisable       not_authorisable
   a charge                               not_chargeable         Completed              not_chargeable         not_chargeable         not_chargeable         not_chargeable         not_chargeable
   delete                                 Canceled               not_cancelable         not_cancelable         not_cancelable         not_cancelable         not_cancelable         not_cancelable
   delete, authorised too                 Canceled               Closed                 not_cancelable         not_cancelable         not_cancelable         not_cancelable         not_cancelable
   delete while an attempt runs           busy                   busy                   not_cancelable         not_cancelable         not_cancelable         not_cancelable         not_cancelable
   its time is over                       Expired                nothing                nothing                nothing                nothing                nothing                nothing
   its time is over while an attempt runs nothing                nothing                nothing                nothing                nothing                nothing                nothing
   its card is over                       nothing                CardExpired            nothing                nothing                nothing                nothing                nothing
   its card is over while an attempt runs nothing                nothing                nothing                nothing                nothing                nothing                nothing
   refresh secret                         Created                secret_not_refreshable secret_not_refreshable secret_not_refreshable secret_not_refreshable secret_not_refreshable secret_not_refreshable
   refresh secret while an attempt runs   busy                   secret_not_refreshable secret_not_refreshable secret_not_refreshable secret_not_refreshable secret_not_refreshable secret_not_refreshable
   submit with the secret                 Created                not_authorisable       not_authorisable       not_authorisable       not_authorisable       not_authorisable       not_authorisable
   name it in a payment                   no                     Authorized             no                     no                     no                     no                     no
   look at it as payer                    Created                Authorized             Expired                CardExpired            not_found              Completed              not_found
   "
  `);
});

describe('a new setup intent', () => {
  test('expires after 30 days, its secret after 30 minutes, and has the location of the account', () => {
    const setup = buildSetup({ metadata: { 'location-id': 'mine', table: 7 } });
    expect(setup).toMatchObject({
      status: 'Created',
      expireAt: createPastDate(30 * DAY_MS),
      clientSecretExpireAt: createPastDate(30 * 60_000),
      metadata: { table: 7, 'location-id': ORIGIN.locationId },
      cardExpireAt: null,
      paymentDetails: null,
    });
  });

  // oxfmt-ignore
  test.each<[string, Parameters<typeof createSetupRequest>[0], string[]]>([
    ['nothing', { intendedAmount: gbp(0) }, ['intendedAmount.value']],
    ['more than the largest amount', { intendedAmount: gbp(1_000_000_000_000) }, ['intendedAmount.value']],
    ['yen', { intendedAmount: money(1, 'JPY') }, ['intendedAmount.currencyCode']],
    ['this moment', { expireAt: NOON }, ['expireAt']],
    ['a book of metadata', { metadata: { note: 'x'.repeat(16 * 1024) } }, ['metadata']],
    ['all of it', { intendedAmount: money(0, 'JPY'), expireAt: NOON, metadata: { note: 'x'.repeat(16 * 1024) } },
      ['intendedAmount.value', 'intendedAmount.currencyCode', 'expireAt', 'metadata']],
  ])('is refused for %s, with the members named', (_, request, members) => {
    let refused: unknown;
    try {
      createSetup(createSetupRequest(request), ORIGIN);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(Refusal);
    expect(Object.keys((refused as Refusal).members)).toEqual(members);
  });

  test('that names something that does not exist is refused for that and for the rest at once', () => {
    const origin = { ...ORIGIN, unknown: { 'customer.id': ['is not a customer'] } };
    expect(() => createSetup(createSetupRequest({ expireAt: NOON }), origin)).toThrow(
      expect.objectContaining({
        members: { 'customer.id': ['is not a customer'], expireAt: ['must be in the future'] },
      }),
    );
  });
});

describe('the outcome of an attempt', () => {
  test('approved: its details are shown, the card is kept to the end of its month, the secret is gone', () => {
    const { setup, events } = authoriseSetup(buildSetup(), APPROVAL, NOON);
    expect(setup).toMatchObject({
      status: 'Authorized',
      cardExpireAt: CARD_END,
      clientSecret: null,
      clientSecretExpireAt: null,
      paymentDetails: { message: 'AUTHORIZED', authCode: '204711', card: VISA },
    });
    expect(events).toMatchObject([{ eventType: 'Authorized', details: { cardNumber: VISA.cardNumber } }]);
  });

  test.each([
    ['DECLINED', 'Declined'],
    ['REFERRED', 'Declined'],
    ['FAILED', 'Error'],
  ] as const)('%s: the card is not kept, and the payer may try again', (message, eventType) => {
    const stored = storeSetupCard(buildSetup(), VISA, NOON).setup;
    expect(stored.cardExpireAt).toEqual(CARD_END);
    const { setup, events } = declineSetup(stored, getDecline(message), NOON);
    expect(setup).toMatchObject({ status: 'Created', cardExpireAt: null, paymentDetails: { message, authCode: '' } });
    expect(events).toMatchObject([{ eventType, details: { authCode: '' } }]);
    expect(authoriseSetup(setup, APPROVAL, NOON).setup.paymentDetails).toMatchObject({ message: 'AUTHORIZED' });
  });

  test.each(['Expired', 'CardExpired', 'Canceled', 'Completed', 'Closed'] as const)(
    'a setup that is %s keeps neither a card nor a secret',
    (each) => {
      expect(createSetupIn(each)).toMatchObject({ cardExpireAt: null, clientSecret: null, clientSecretExpireAt: null });
    },
  );
});

test.each([
  // expiry of the card   the moment                            then
  ['2026-03-31', '2026-03-31T23:59:59.999Z', 'nothing'],
  ['2026-03-31', '2026-04-01T00:00:00.000Z', 'CardExpired'],
  ['2028-02-29', '2028-02-29T23:59:59.999Z', 'nothing'],
  ['2028-02-29', '2028-03-01T00:00:00.000Z', 'CardExpired'],
  [null, '9999-01-01T00:00:00.000Z', 'nothing'],
])('a card that is good until %s, at %s: %s', (expiryDate, moment, then) => {
  const approval = { ...APPROVAL, card: { ...VISA, expiryDate } };
  const { setup } = authoriseSetup(buildSetup(), approval, NOON);
  expect(orNothing(expireCard(setup, still(new Date(moment))))).toBe(then);
});

test('a setup does not expire before its time', () => {
  const setup = buildSetup({ expireAt: createPastDate(1000) });
  expect(orNothing(expireSetup(setup, still(createPastDate(999))))).toBe('nothing');
  expect(orNothing(expireSetup(setup, still(createPastDate(1000))))).toBe('Expired');
});

test('a secret is valid for 30 minutes and one attempt, and is not shown otherwise', () => {
  const setup = buildSetup();
  const last = createPastDate(30 * 60_000 - 1);
  expect(isSecretUsable(setup, last)).toBe(true);
  expect(isSecretUsable(setup, createPastDate(30 * 60_000))).toBe(false);
  expect(withUsableSecret(setup, last)).toBe(setup);
  expect(withUsableSecret(setup, createPastDate(30 * 60_000))).toMatchObject({
    clientSecret: null,
    clientSecretExpireAt: null,
  });
  expect(isSecretUsable(consumeSetupSecret(setup, NOON).setup, NOON)).toBe(false);
  const again = issueSetupSecret(setup, { text: 'new', ...still(last) }).setup;
  expect([again.clientSecret, isSecretUsable(again, createPastDate(59 * 60_000))]).toEqual(['new', true]);
});
