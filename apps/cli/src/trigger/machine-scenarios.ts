import { setTimeout as pause } from 'node:timers/promises';
import { WrongUse } from '../failures/wrong-use.js';
import { NotReached } from '../failures/not-reached.js';
import type { Scenario, ScenarioPlay } from './scenario.js';

const POLL_MS = 200;
/** A session expires after 90 seconds. */
const SESSION_MS_MAX = 150_000;
const FINAL = ['Captured', 'Authorized', 'Canceled', 'Declined', 'Expired'];

/** Sells on a card machine; returns the final state of the session. */
export async function sellOnMachine(play: ScenarioPlay, tid: string): Promise<string> {
  const { client, values, note } = play;
  // First: nothing is created for a machine that does not exist.
  const terminalId = await findTerminal(play, tid);
  note('terminal', terminalId, tid);
  const { id } = await client.paymentIntents.create({ amount: values.amount, reference: values.reference });
  note('payment intent', id, 'Created');
  const details = { sessionType: 'Sale', sale: { paymentIntentId: id } } as const;
  const session = await client.terminalSessions.create({ terminalId, details });
  const state = await watchSession(play, session.id);
  note('payment intent', id, (await client.paymentIntents.read(id)).status);
  return state;
}

async function findTerminal({ client }: ScenarioPlay, tid: string): Promise<string> {
  const terminals = await client.terminals.list();
  const found = terminals.find(({ properties }) => properties.tid === tid);
  const known = terminals.map(({ properties }) => properties.tid).join(', ');
  if (found === undefined) throw new WrongUse(`--with tid=${tid}: must be one of ${known}`);
  return found.id;
}

/** Notes each state, and decides about a signature. */
async function watchSession({ client, values, note, stop }: ScenarioPlay, id: string): Promise<string> {
  const end = performance.now() + SESSION_MS_MAX;
  for (let last = ''; performance.now() < end;) {
    stop.throwIfAborted();
    const { status } = await client.terminalSessions.read(id);
    if (status !== last) note('terminal session', id, status);
    last = status;
    if (FINAL.includes(status)) return status;
    if (status === 'SignatureVerificationRequired') {
      await client.terminalSessions.decideSignature(id, { accepted: values.accept });
    }
    await pause(POLL_MS);
  }
  throw new NotReached(`the terminal session ${id} has not ended in ${SESSION_MS_MAX / 1000} s`);
}

/** Sales on simulated card machines. */
export const MACHINE_SCENARIOS = {
  sale: {
    brief: 'a sale on a card machine',
    reads: ['amount', 'currency', 'tid'],
    ends: 'Captured',
    play: (play) => sellOnMachine(play, play.values.tid),
  },
  'sale-signature': {
    brief: 'a sale whose signature is verified',
    reads: ['amount', 'currency', 'accept'],
    ends: 'Captured',
    play: (play) => sellOnMachine(play, '90000003'),
  },
  'sale-declined': {
    brief: 'a sale that the card issuer declines',
    reads: ['amount', 'currency'],
    ends: 'Declined',
    play: (play) => sellOnMachine(play, '90000004'),
  },
  'sale-canceled': {
    brief: 'a sale that is cancelled at the machine',
    reads: ['amount', 'currency'],
    ends: 'Canceled',
    play: (play) => sellOnMachine(play, '90000005'),
  },
} as const satisfies Readonly<Record<string, Scenario>>;
