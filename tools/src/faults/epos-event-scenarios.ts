import assert from 'node:assert/strict';
import {
  cancelPaymentIntent,
  createPaymentIntent,
} from '@pos/rest-contracts/payment-intents/payment-intent-operations';
import { deleteRestIntegration, putRestIntegration } from '@pos/rest-contracts/accounts/epos-registration';
import { listEposEvents } from '@pos/rest-contracts/sandbox/sandbox-epos';
import { type StageRestaurant, type Stage, waitUntil, WORKERS } from '../e2e/stage.js';
import type { FaultScenario } from './scenario.js';

const TOLD_MS_MAX = 25_000;
const KINDS = ['payment_intent.created', 'payment_intent.status_updated'] as const;

function runWithWorkerKilled(point: 'epos-event.before-send' | 'epos-event.after-send', nth: number): FaultScenario {
  const when =
    point === 'epos-event.before-send' ? 'before it tells the EPOS' : 'after it has told the EPOS, unnoticed';
  return {
    says: `a worker is killed ${when} of a payment, and so is the next one`,
    arms: async () => ({ names: WORKERS, point: `${point}:${nth}` }),
    async run(stage, house) {
      await registerEpos(stage, house);
      const before = (await hasReceived(stage, house)).length;
      try {
        const wanted: string[] = [];
        const ends = await stage.reviving(async () => {
          for (let payment = 0; payment < nth + 1; payment += 1) wanted.push(...(await isAbandoned(stage, house)));
          await waitUntil('the EPOS is told of every payment', TOLD_MS_MAX, async () => {
            const notified = new Set((await hasReceived(stage, house)).slice(before));
            return wanted.every((each) => notified.has(each));
          });
          await stage.untilHooksAreOut(house);
        });
        assert.ok(ends > 0, `no worker passed ${point}`);
        const notified = (await hasReceived(stage, house)).slice(before);
        assert.deepEqual([...new Set(notified)], wanted, 'each is told once all before it were');
        const repeats = notified.length - wanted.length;
        if (point === 'epos-event.after-send') assert.ok(repeats > 0, 'what was told and not noted is told again');
        else assert.equal(repeats, 0);
      } finally {
        await stage.api(house)(deleteRestIntegration, {});
      }
    },
  };
}

/** The EPOS of the restaurant wants to hear of payments, and of nothing else over REST. */
async function registerEpos(stage: Stage, house: StageRestaurant): Promise<void> {
  const { username, password } = house.account.epos;
  await stage.api(house)(putRestIntegration, {
    body: {
      url: stage.world.addresses.sandboxEpos,
      auth: { authType: 'basic', basic: { username, password } },
      capabilities: KINDS.map((kind) => ({ name: `HandleEvent:${kind}`, version: 'v1' as const })),
    },
  });
}

/** A payment that is begun and given up; what an EPOS has to hear of it, in this order. */
async function isAbandoned(stage: Stage, house: StageRestaurant): Promise<string[]> {
  const api = stage.api(house);
  const { id } = await api(createPaymentIntent, {
    body: { amount: { value: 700, currencyCode: 'GBP' }, reference: 'given up' },
  });
  await api(cancelPaymentIntent, { params: { paymentIntentId: id } });
  return [`${KINDS[0]} ${id} Created`, `${KINDS[1]} ${id} Canceled`];
}

async function hasReceived({ sandbox }: Stage, { scope: { accountId } }: StageRestaurant): Promise<string[]> {
  const { events } = await sandbox(listEposEvents, { params: { accountId } });
  return events.map(({ event, data }) =>
    'paymentStatus' in data ? `${event} ${data.paymentIntentId} ${data.paymentStatus}` : event,
  );
}

/** What can happen to the events that an EPOS is told of, on their way. */
export const EPOS_EVENT_SCENARIOS: readonly FaultScenario[] = [
  runWithWorkerKilled('epos-event.after-send', 2),
  // The first: what is told beside it in one round of a lane is noted with it, and would rightly be told again.
  runWithWorkerKilled('epos-event.before-send', 1),
];
