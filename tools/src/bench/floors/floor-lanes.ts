import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '@pos/core/identity';
import { openDatabase } from '@pos/store/startup';
import { type ClaimedLane, LaneQueue } from '@pos/store/queues';
import { Agent, request } from 'undici';

/**
 * The floor of ordered deliveries: the same lanes, claimed, processed in order and completed by the same statements.
 * Bodies are posted unsigned by plain undici, without address guard, size limits or log lines. Settings: DATABASE_URL,
 * ENCRYPTION_KEY, KEY_PEPPER, CA_FILE, LANES (how many at once).
 */
const lanesMax = Number(process.env['LANES'] ?? '64');
const database = await openDatabase({
  url: process.env['DATABASE_URL'] ?? '',
  applicationName: 'bench floor',
  poolMax: 16,
  secrets: {
    encryptionKey: Buffer.from(process.env['ENCRYPTION_KEY'] ?? '', 'base64'),
    pepper: process.env['KEY_PEPPER'] ?? '',
  },
});
const queue = new LaneQueue(database);
const dispatcher = new Agent({ connect: { ca: readFileSync(process.env['CA_FILE'] ?? '', 'utf8') } });
const LEASE_MS = 60_000;
const DELIVERIES_PER_LANE = 10;
const IDLE_MS = 5;
let inHand = 0;

for (;;) {
  const free = lanesMax - inHand;
  const scopes = free <= 0 ? [] : await queue.listReadyAccounts({ limit: 8 });
  const claimed = await Promise.all(
    scopes.map((scope) => takeDelivery(scope, Math.max(1, Math.floor(free / scopes.length)))),
  );
  if (claimed.every((count) => count === 0)) await pause(IDLE_MS);
}

async function takeDelivery(scope: Scope, lanes: number): Promise<number> {
  const taken = await queue.claim(scope, { lanes, deliveriesPerLane: DELIVERIES_PER_LANE, leaseMs: LEASE_MS });
  for (const lane of taken) {
    inHand += 1;
    void workLane(lane).finally(() => (inHand -= 1));
  }
  return taken.length;
}

async function workLane(lane: ClaimedLane): Promise<void> {
  const attempts = [];
  for (const { url, body, number } of lane.deliveries) {
    const answer = await request(url, {
      method: 'POST',
      body,
      dispatcher,
      headers: { 'content-type': 'application/json' },
    });
    await answer.body.dump();
    attempts.push({
      number,
      isDelivered: answer.statusCode < 300,
      status: answer.statusCode,
      error: null,
      retryInMs: null,
    });
  }
  await queue.complete(lane, attempts);
}
