import { expect, test } from '@jest/globals';
import { listPaymentActivities, type PaymentActivity } from '@pos/rest-contracts/activities';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { findTablePayment } from '@pos/store/tables';
import { type Stage, type StageRestaurant, waitUntil } from './stage.js';
import { TestTable } from './table.js';

const MINUTES = 60_000;
const STORED_MS_MAX = 15_000;

/** A payer on the payment page, who uses a new card. */
interface CardPayer {
  readonly card: { readonly cardNumber: string; readonly cV2: string };
  readonly send: (path: string, body: object, headers: Readonly<Record<string, string>>) => Promise<object>;
}

/** The tests of the timelines of payments. Call it in the file of tests that has opened the stage. */
export function describeTimelines(
  openStage: () => Promise<Stage>,
  createPayer: (world: Stage['world']) => CardPayer,
): void {
  test(
    'the timeline of a payment at a table shows the EPOS, the machine, the acquirer and the webhooks in their order',
    async () => checkTableTimeline(await openStage()),
    2 * MINUTES,
  );
  test(
    'the timeline of a payment on the page shows the payer’s request in the trace of its authorisation',
    async () => {
      const stage = await openStage();
      await checkPageTimeline(stage, createPayer(stage.world));
    },
    2 * MINUTES,
  );
}

const describeStep = ({ kind, name, outcome }: PaymentActivity): string =>
  outcome === undefined ? `${kind} ${name}` : `${kind} ${name} ${outcome}`;

/** The steps of a payment, oldest first, once these are among them in their order. */
async function waitForSteps(
  { stage, house }: { readonly stage: Stage; readonly house: StageRestaurant },
  paymentIntentId: string,
  wanted: readonly string[],
): Promise<PaymentActivity[]> {
  let steps: PaymentActivity[] = [];
  const isThere = async (): Promise<boolean> => {
    const query = { limit: 100 };
    const page = await stage.api(house)(listPaymentActivities, { params: { paymentIntentId }, query });
    steps = (page.data as PaymentActivity[]).toReversed();
    return findMissing(steps, wanted) === null;
  };
  await waitUntil('every step is stored', STORED_MS_MAX, isThere).catch(() => undefined);
  expect({ missing: findMissing(steps, wanted), steps: steps.map(describeStep) }).toMatchObject({ missing: null });
  return steps;
}

/** The first of the wanted steps that does not follow the ones before it; null if all are there in their order. */
function findMissing(steps: readonly PaymentActivity[], wanted: readonly string[]): string | null {
  let at = 0;
  for (const step of wanted) {
    const next = steps.findIndex((each, index) => index >= at && describeStep(each) === step);
    if (next === -1) return step;
    at = next + 1;
  }
  return null;
}

async function checkTableTimeline(stage: Stage): Promise<void> {
  const house = stage.houses[1];
  const table = await TestTable.begin(stage, house);
  const { paymentId, ending } = await table.pay(1_000);
  expect(ending).toBe('Recorded');
  await stage.untilHooksAreOut(house);
  const payment = await stage.database.read(house.scope, (reader) => findTablePayment(reader, paymentId));
  const steps = await waitForSteps({ stage, house }, payment?.intentId ?? '', [
    'EposCall lockSession Succeeded',
    'AcquirerCall Authorise Succeeded',
    'StateChange InitiateRequested',
    'MachineReport Initiated',
    'MachineReport Captured',
    'StateChange Captured',
    'EposCall recordPayment Succeeded',
    'EposCall unlockSession Succeeded',
  ]);
  const names = steps.map(describeStep);
  expect(names).toContain('WebhookAttempt payment_intent.status_updated Succeeded');
  expect(names).toContain('WebhookAttempt terminal_session.status_updated Succeeded');
  // Others may have paid a part of the bill before.
  expect(steps).toContainEqual(
    expect.objectContaining({
      name: 'recordPayment',
      outcome: 'Succeeded',
      reference: paymentId,
      transport: expect.any(String),
    }),
  );
  expect(steps.filter(({ kind }) => kind !== 'AcquirerCall').every(({ traceId }) => traceId !== undefined)).toBe(true);
}

async function checkPageTimeline(stage: Stage, payer: CardPayer): Promise<void> {
  const house = stage.paymentPageRestaurant;
  const body = { amount: { value: 1_250, currencyCode: 'GBP' }, reference: 'table 4', generateRemoteToken: true };
  const { id, clientSessionSecret = '' } = await stage.api(house)(createPaymentIntent, { body });
  const card = { ...CARD, ...payer.card };
  const paid = await payer.send('/client/payments', card, { 'client-session-secret': clientSessionSecret });
  expect(paid).toMatchObject({ statusCode: 0 });
  await stage.untilHooksAreOut(house);
  const steps = await waitForSteps({ stage, house }, id, [
    'ApiRequest createPaymentIntent Succeeded',
    'ApiRequest payByCard Succeeded',
    'AcquirerCall Authorise Succeeded',
    'StateChange Captured',
    'WebhookAttempt payment_intent.status_updated Succeeded',
  ]);
  const ofPayer = steps.filter(({ name }) => ['payByCard', 'Authorise', 'Captured'].includes(name));
  expect(new Set(ofPayer.map(({ traceId }) => traceId)).size).toBe(1);
  const text = JSON.stringify(steps);
  for (const hidden of [card.cardNumber, `"${card.cV2}"`, clientSessionSecret, CARD.cardName])
    expect(text).not.toContain(hidden);
}

const CARD = { expiryDate: '12/32', cardName: 'A GUEST' };
