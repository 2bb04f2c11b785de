import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Refusal } from '../refusals/refusal.js';
import {
  authoriseSetup,
  challengeSetup,
  completeSetup,
  consumeSetupSecret,
  declineSetup,
  expireCard,
  expireSetup,
  abandonSetup,
  issueSetupSecret,
  SETUP_MOVES,
  type SetupDecision,
  type SetupIntent,
  storeSetupCard,
  undoLateSetup,
} from './setup-intent.js';
import { createApproval, buildSetup, getDecline, NOTHING, createPastDate, VISA } from '../testing/builders.js';
import { DAY_MS } from '../time/timespan.js';

interface Command {
  readonly name: string;
  readonly isRunning: boolean;
  readonly laterMs: number;
}

type Act = (
  setup: SetupIntent,
  at: { readonly now: Date; readonly hasRunningAttempt: boolean },
) => SetupDecision | null;

const APPROVAL = createApproval(NOTHING);
const ACTS: Record<string, Act> = {
  approve: (setup, { now }) => authoriseSetup(setup, APPROVAL, now),
  decline: (setup, { now }) => declineSetup(setup, getDecline(), now),
  fail: (setup, { now }) => declineSetup(setup, getDecline('FAILED'), now),
  challenge: (setup, { now }) => challengeSetup(setup, APPROVAL, now),
  'store a card': (setup, { now }) => storeSetupCard(setup, VISA, now),
  charge: (setup, { now }) => completeSetup(setup, APPROVAL, now),
  cancel: (setup, at) => abandonSetup(setup, { ...at, includeAuthorized: false }),
  close: (setup, at) => abandonSetup(setup, { ...at, includeAuthorized: true }),
  'time is over': expireSetup,
  'card is over': expireCard,
  'new secret': (setup, at) => issueSetupSecret(setup, { text: 'secret', ...at }),
  submit: (setup, { now }) => consumeSetupSecret(setup, now),
  'approve too late': (setup, { now }) => (setup.status === 'Created' ? null : undoLateSetup(setup, APPROVAL, now)),
};

const commands = fc.array(
  fc.record<Command>({
    name: fc.constantFrom(...Object.keys(ACTS)),
    isRunning: fc.boolean(),
    laterMs: fc.constantFrom(0, 1000, 31 * DAY_MS, 5 * 366 * DAY_MS),
  }),
  { maxLength: 20, size: 'max' },
);

/** All transitions to another state; a generator that finds fewer proves less. */
const WAYS = [
  'Authorized > CardExpired',
  'Authorized > Closed',
  'Authorized > Completed',
  'Created > Authorized',
  'Created > CardExpired',
  'Created > Canceled',
  'Created > Expired',
];

test('for any commands in any order, a card is charged once, and neither the card nor a secret outlives its use', () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(commands, (course) => {
      let setup = buildSetup();
      let ms = 0;
      let charges = 0;
      for (const command of course) {
        ms += command.laterMs;
        const decision = decided(setup, command, createPastDate(ms));
        if (decision === null) continue;
        if (decision.setup.status !== setup.status) reached.add(`${setup.status} > ${decision.setup.status}`);
        charges += decision.events.filter(({ eventType }) => eventType === 'Captured').length;
        expectSound(setup, decision);
        must(charges <= 1, 'a card is charged once');
        setup = decision.setup;
      }
    }),
    { numRuns: 1_500 },
  );
  expect([...reached].sort()).toEqual(WAYS.sort());
});

function decided(setup: SetupIntent, { name, isRunning }: Command, now: Date): SetupDecision | null {
  try {
    return ACTS[name]?.(setup, { now, hasRunningAttempt: isRunning }) ?? null;
  } catch (error) {
    // A refusal changes nothing; anything else is a defect and fails the run.
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function expectSound(before: SetupIntent, { setup, events }: SetupDecision): void {
  const { status } = setup;
  const ways: readonly string[] = Object.values(SETUP_MOVES[before.status]);
  must(status === before.status || ways.includes(status), 'only moves of the table are made');
  must(events.length <= 1, 'one event per change');
  must(setup.cardExpireAt === null || status === 'Created' || status === 'Authorized', 'a card that cannot be charged');
  must((setup.clientSecret === null) === (setup.clientSecretExpireAt === null), 'a secret has its time');
  must(setup.clientSecret === null || status === 'Created', 'a secret of a setup that cannot be paid');
  must(
    setup.paymentDetails === null || events.length > 0 || setup.paymentDetails === before.paymentDetails,
    'a rumour',
  );
  must(status !== 'Authorized' || setup.paymentDetails?.message === 'AUTHORIZED', 'an approval is shown as one');
}

/** Used instead of `expect`, which would take longer than everything it checks in thousands of steps. */
function must(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`broken: ${what}`);
}
