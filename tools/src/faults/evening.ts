import assert from 'node:assert/strict';
import { JourneyPaymentState } from '@pos/grpc-contracts/gateway';
import { readPaymentIntent } from '@pos/rest-contracts/payment-intents';
import type { FaultScenario } from './scenario.js';
import { waitUntil } from '../e2e/stage.js';
import { TestTable } from '../e2e/table.js';

const HOOKS_MS_MAX = 20_000;

/** The events that the integrator receives about a contactless payment, in this order. */
const CONTACTLESS_SCENARIO = [
  'terminal_session.created InitiateRequested',
  'terminal_session.status_updated Initiated',
  'terminal_session.notification PresentCard',
  'terminal_session.notification PleaseWait',
  'terminal_session.notification Approved',
  'terminal_session.status_updated Captured',
];
/** The events of its intent. */
const INTENT_SCENARIO = ['Created', 'Captured'];

/** One bill from the list of tables to the last webhook, in two parts with a tip. */
export const FULL_SCENARIO: FaultScenario = {
  says: 'a bill is listed, locked, paid in two parts with a tip, recorded and unlocked, and every webhook arrives',
  async run(stage, house) {
    const table = await TestTable.begin(stage, house);
    const { device, journey } = table;
    const bill = await device.bill(journey.sessionId);
    assert.equal(journey.outstanding, bill.totalAmount - bill.paidAmount);

    const seen: JourneyPaymentState[] = [];
    const watching = (async () => {
      for await (const { payments } of device.watch(journey.journeyId)) {
        const state = payments[0]?.state;
        if (state !== undefined && seen.at(-1) !== state) seen.push(state);
        if (state === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED) return;
      }
    })();
    const first = await table.take(1_200, 180);
    assert.equal(await table.ending(first), 'Recorded');
    await watching;
    assert.equal(seen.at(-1), JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED);
    const afterFirst = await device.look(journey.journeyId);
    assert.equal(afterFirst.outstanding, journey.outstanding - 1_200n);

    const second = await table.takeRest();
    assert.equal(await table.ending(second), 'Recorded');
    const paid = await device.look(journey.journeyId);
    assert.equal(paid.outstanding, 0n);
    await table.leave();

    const [{ paymentIntentId = '', terminalSessionId = '' } = {}] = paid.payments;
    const intent = await stage.api(house)(readPaymentIntent, { params: { paymentIntentId } });
    assert.equal(intent.status, 'Captured');
    assert.equal(intent.amount.value, 1_200);
    assert.equal(intent.tipsAmount?.value, 180);
    const wanted = CONTACTLESS_SCENARIO.length;
    await waitUntil(
      'the webhooks of the session',
      HOOKS_MS_MAX,
      async () => stage.receiver.taken(terminalSessionId).length >= wanted,
    );
    const received = stage.receiver.taken(terminalSessionId).map(({ kind, state }) => `${kind} ${state}`);
    assert.deepEqual(received, CONTACTLESS_SCENARIO);
    await waitUntil(
      'the webhooks of the intent',
      HOOKS_MS_MAX,
      async () => stage.receiver.taken(paymentIntentId).length >= INTENT_SCENARIO.length,
    );
    const hooks = stage.receiver.taken(paymentIntentId);
    assert.deepEqual(hooks.map(({ state }) => state).toSorted(), INTENT_SCENARIO.toSorted());
    // A failed delivery leaves its lane; those that arrive at once keep their order.
    const atOnce = hooks.filter(({ attempt }) => attempt === 1).map(({ state }) => state);
    assert.deepEqual(
      atOnce,
      INTENT_SCENARIO.filter((state) => atOnce.includes(state)),
    );
  },
};
