import { randomBytes } from 'node:crypto';
import { createId } from '@pos/core/ids';
import type { Envelope } from '@pos/core/webhooks';
import { emitAll } from '@pos/store/queues';
import type { BenchWorld } from './bench-world.js';
import type { LaneReceiver } from './lane-receiver.js';
import { type LoadComparison, type LoadMeasurement, medianPair } from './load/load.js';

const BLOCKED_EVENTS = 50_000;

type TerminalSessionId = `ts_${string}`;

/** Deliveries beside a lane of many events whose receiver refuses the first, against the same without that lane. */
export async function compareWithBlockedLane(
  { database, scope }: Pick<BenchWorld, 'database' | 'scope'>,
  receiver: LaneReceiver,
  {
    turns,
    drain,
    createEnvelope,
  }: {
    readonly turns: number;
    /** Delivers to other lanes. */
    readonly drain: () => Promise<LoadMeasurement>;
    readonly createEnvelope: (id: Envelope['id'], lane: TerminalSessionId) => Envelope;
  },
): Promise<LoadComparison> {
  const without: LoadMeasurement[] = [];
  while (without.length < turns) without.push(await drain());
  const lane = createId('terminalSession', 'sandbox', randomBytes(16));
  receiver.refuse(lane);
  await database.transact(scope, async (tx) => {
    const envelopes: Envelope[] = [];
    while (envelopes.length < BLOCKED_EVENTS) envelopes.push(createEnvelope(await tx.newId('event'), lane));
    await emitAll(tx, envelopes);
  });
  const pairs = [];
  for (const floor of without) pairs.push({ floor, ours: await drain() });
  return medianPair(pairs);
}
