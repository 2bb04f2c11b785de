import type { CardVault } from '../connection/card-vault.js';
import type { Scenario, ScenarioPlay } from './scenario.js';

const CHALLENGE_CARD = '4456530000001096';
const DECLINED_CARD = '4456530000001013';
/** The test cards whose CV2 is not 020. */
const OTHER_CV2: Readonly<Record<string, string>> = {
  [DECLINED_CARD]: '341',
  '5200000000000056': '341',
  '374000000009108': '1234',
};
const CHALLENGED_CODE = 3;

/** Submits a card as the page of a payer does, and passes a challenge. */
async function submitCard(
  { vault, note }: { readonly vault: CardVault; readonly note: ScenarioPlay['note'] },
  parts: { readonly secret: string | undefined; readonly card: string; readonly hasConsented: boolean },
): Promise<void> {
  const { secret = '', card, hasConsented } = parts;
  const result = await vault.pay(secret, { number: card, cv2: OTHER_CV2[card] ?? '020', hasConsented });
  note('transaction', result.transactionId, result.message);
  if (result.statusCode !== CHALLENGED_CODE) return;
  const completed = await vault.completeChallenge(secret, result.transactionId);
  note('challenge', completed.transactionId, completed.message);
}

/** Creates an intent and pays it online; returns its id and status. */
async function payOnline(
  play: ScenarioPlay,
  captureMode: 'Auto' | 'Manual',
  card = play.values.card,
): Promise<{ readonly id: string; readonly status: string }> {
  const { client, values, note } = play;
  const { amount, reference } = values;
  // First: nothing is created where no card can be submitted.
  const vault = play.vault();
  const intent = await client.paymentIntents.create({ amount, reference, captureMode });
  note('payment intent', intent.id, intent.status);
  await submitCard({ vault, note }, { secret: intent.clientSessionSecret, card, hasConsented: false });
  return { id: intent.id, status: await readStatus(play, intent.id) };
}

async function readStatus({ client, note }: ScenarioPlay, id: string): Promise<string> {
  const { status } = await client.paymentIntents.read(id);
  note('payment intent', id, status);
  return status;
}

/** Has a payer agree to a later charge, and stores the card; returns the id of the setup intent. */
async function setUpCard(play: ScenarioPlay): Promise<string> {
  const { client, values, note } = play;
  const { amount, reference, card } = values;
  const vault = play.vault();
  const setup = await client.setupIntents.create({
    ...{ reference, merchantInitiatedTransactionType: 'NoShow', intendedAmount: amount },
    terms: 'We charge this amount if nobody comes.',
  });
  note('setup intent', setup.id, setup.status);
  await submitCard({ vault, note }, { secret: setup.clientSessionSecret, card, hasConsented: true });
  return setup.id;
}

const ONLINE = ['amount', 'currency', 'card'] as const;

/** Payments that a payer makes online. */
export const CARD_SCENARIOS = {
  payment: {
    brief: 'an online payment',
    reads: ONLINE,
    ends: 'Captured',
    play: async (play) => (await payOnline(play, 'Auto')).status,
  },
  'payment-challenge': {
    brief: 'an online payment with 3-D Secure',
    reads: ['amount', 'currency'],
    ends: 'Captured',
    play: async (play) => (await payOnline(play, 'Auto', CHALLENGE_CARD)).status,
  },
  'payment-declined': {
    brief: 'an online payment that the card issuer declines',
    reads: ['amount', 'currency'],
    ends: 'Created',
    play: async (play) => (await payOnline(play, 'Auto', DECLINED_CARD)).status,
  },
  authorization: {
    brief: 'an online payment that is held and not captured',
    reads: ONLINE,
    ends: 'Authorized',
    play: async (play) => (await payOnline(play, 'Manual')).status,
  },
  capture: {
    brief: 'the capture of the whole of a held payment',
    reads: ONLINE,
    ends: 'Captured',
    play: async (play) => {
      const { id } = await payOnline(play, 'Manual');
      const { message } = await play.client.paymentIntents.capture(id, { amount: play.values.amount.value });
      play.note('capture', id, message);
      return readStatus(play, id);
    },
  },
  refund: {
    brief: 'the refund of a part of a payment',
    reads: [...ONLINE, 'part'],
    ends: 'Captured',
    play: async (play) => {
      const { id } = await payOnline(play, 'Auto');
      const refund = { amount: play.values.part, refundReason: play.values.reference };
      const { refundId, message } = await play.client.paymentIntents.refund(id, refund);
      play.note('refund', refundId, message);
      return readStatus(play, id);
    },
  },
  reversal: {
    brief: 'the reversal of a held payment',
    reads: ONLINE,
    ends: 'Reversed',
    play: async (play) => {
      const { id } = await payOnline(play, 'Manual');
      const { reversalId, message } = await play.client.paymentIntents.reverse(id);
      play.note('reversal', reversalId, message);
      return readStatus(play, id);
    },
  },
  cancellation: {
    brief: 'the cancellation of an unpaid payment',
    reads: ['amount', 'currency'],
    ends: 'Canceled',
    play: async ({ client, values, note }) => {
      const { id, status } = await client.paymentIntents.create({ amount: values.amount, reference: values.reference });
      note('payment intent', id, status);
      const canceled = await client.paymentIntents.cancel(id);
      note('payment intent', id, canceled.status);
      return canceled.status;
    },
  },
  'no-show': {
    brief: 'a card that is stored, and charged without the payer',
    reads: ONLINE,
    ends: 'Captured',
    play: async (play) => {
      const setupIntentId = await setUpCard(play);
      const { amount, reference } = play.values;
      const { id, status } = await play.client.paymentIntents.create({ amount, reference, setupIntentId });
      play.note('payment intent', id, status);
      const { message } = await play.client.paymentIntents.charge(id);
      play.note('charge', id, message);
      return readStatus(play, id);
    },
  },
} as const satisfies Readonly<Record<string, Scenario>>;
