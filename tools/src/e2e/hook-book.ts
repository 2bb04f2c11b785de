import type { Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { deliveries, events, findRows, lanes } from '@pos/store/relations';
import type { ReceivedHook, HookReceiver } from './hook-receiver.js';

/** How many deliveries of an account are still pending. */
export async function countPendingWebhooks(database: Database, scope: Scope): Promise<number> {
  const rows = await database.read(scope, (reader) => findRows(reader, lanes, { where: {} }));
  return rows.reduce((total, { pending }) => total + pending, 0);
}

/**
 * Compares the expected deliveries with those that arrived, and describes the differences. Each event of a subscription
 * must arrive at least once, in one version; no unknown event may arrive; the events of a terminal session must arrive
 * in their order.
 */
export async function findWebhookMismatches(
  database: Database,
  scope: Scope,
  receiver: HookReceiver,
): Promise<string[]> {
  const { emitted, sent } = await database.read(scope, async (reader) => ({
    emitted: await findRows(reader, events, { where: {} }),
    sent: await findRows(reader, deliveries, { where: {}, orderBy: 'lane_key, number' }),
  }));
  const received = receiver.hooks.filter(({ accountId }) => accountId === scope.accountId);
  const bodies = new Map(emitted.map(({ id, body }) => [id, body.toString('utf8')]));
  const faults = receiver.forgeries.map((body) => `a webhook with a wrong signature: ${body}`);
  for (const { event_id: id, state } of sent) {
    if (state !== 'Delivered') faults.push(`the delivery of ${id} is ${state}`);
    if (!received.some((hook) => hook.id === id && hook.isTaken)) faults.push(`${id} was never received`);
  }
  for (const { id, body } of received) {
    if (bodies.get(id) !== body) faults.push(`${id} arrived with another body: ${body}`);
  }
  const isSession = (subject: string): boolean => subject.startsWith('ts_');
  for (const subject of new Set(received.map(({ subjectId }) => subjectId).filter(isSession))) {
    const wanted = sent.filter(({ lane_key: lane }) => lane === subject).map(({ event_id: id }) => id);
    faults.push(...findOrderingMismatches(subject, wanted, received));
  }
  return faults;
}

/**
 * A new event may arrive only after all before it were accepted. A repeat of an accepted event may arrive at any time.
 */
function findOrderingMismatches(
  subject: string,
  wanted: readonly string[],
  received: readonly ReceivedHook[],
): string[] {
  const hooks = received.filter(({ subjectId }) => subjectId === subject);
  let taken = 0;
  let isInOrder = true;
  for (const { id, isTaken } of hooks) {
    const place = wanted.indexOf(id);
    if (place > taken) isInOrder = false;
    if (place === taken && isTaken) taken += 1;
  }
  if (isInOrder && taken === wanted.length) return [];
  const came = hooks.map(({ id, isTaken }) => (isTaken ? id : `(${id})`));
  return [`the webhooks of ${subject} came as ${came.join(' ')}, not as ${wanted.join(' ')}`];
}
