import assert from 'node:assert/strict';
import { cancelPaymentIntent, createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { listEposEvents } from '@pos/rest-contracts/sandbox';
import { registerDataApi } from '../e2e/data-api-registration.js';
import { type StageRestaurant, type Stage, waitUntil, WORKERS } from '../e2e/stage.js';
import type { FaultScenario } from './scenario.js';

const TOLD_MS_MAX = 25_000;
const KINDS = ['payment_intent.created', 'payment_intent.status_updated'] as const;

function runWithWorkerKilled(point: 'epos-event.before-send' | 'epos-event.after-send', nth: number): FaultScenario {
  const when =
    point === 'epos-event.before-send'
      ? 'before it notifies the EPOS'
      : 'after it has notified the EPOS, before that is stored';
  return {
    says: `a worker is killed ${when} of a payment, and so is the next one`,
    arms: async () => ({ names: WORKERS, point: `${point}:${nth}` }),
    async run(stage, house) {
      const capabilities = KINDS.map((kind) => `HandleEvent:${kind}` as const);
      const unregister = await registerDataApi(stage, house, capabilities);
      const before = (await listEvents(stage, house)).length;
      try {
        const wanted: string[] = [];
        const ends = await stage.restartKilled(async () => {
          for (let payment = 0; payment < nth + 1; payment += 1) wanted.push(...(await createAndCancel(stage, house)));
          await waitUntil('the EPOS has the events of every payment', TOLD_MS_MAX, async () => {
            const events = new Set((await listEvents(stage, house)).slice(before));
            return wanted.every((each) => events.has(each));
          });
          await stage.untilHooksAreOut(house);
        });
        assert.ok(ends > 0, `no worker passed ${point}`);
        const events = (await listEvents(stage, house)).slice(before);
        assert.deepEqual([...new Set(events)], wanted, 'each is delivered after all before it');
        const repeats = events.length - wanted.length;
        if (point === 'epos-event.after-send')
          assert.ok(repeats > 0, 'what was delivered and not stored is delivered again');
        else assert.equal(repeats, 0);
      } finally {
        await unregister();
      }
    },
  };
}

/** A payment that is created and cancelled; returns the events that an EPOS must receive, in this order. */
async function createAndCancel(stage: Stage, house: StageRestaurant): Promise<string[]> {
  const api = stage.api(house);
  const { id } = await api(createPaymentIntent, {
    body: { amount: { value: 700, currencyCode: 'GBP' }, reference: 'given up' },
  });
  await api(cancelPaymentIntent, { params: { paymentIntentId: id } });
  return [`${KINDS[0]} ${id} Created`, `${KINDS[1]} ${id} Canceled`];
}

async function listEvents({ sandbox }: Stage, { scope: { accountId } }: StageRestaurant): Promise<string[]> {
  const { events } = await sandbox(listEposEvents, { params: { accountId } });
  return events.map(({ event, data }) =>
    'paymentStatus' in data ? `${event} ${data.paymentIntentId} ${data.paymentStatus}` : event,
  );
}

/** Faults during the delivery of events to an EPOS. */
export const EPOS_EVENT_SCENARIOS: readonly FaultScenario[] = [
  runWithWorkerKilled('epos-event.after-send', 2),
  // The first delivery: others of the same round of a lane are stored with it, and would rightly be sent again.
  runWithWorkerKilled('epos-event.before-send', 1),
];
