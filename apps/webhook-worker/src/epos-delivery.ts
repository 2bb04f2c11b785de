import type { Scope } from '@pos/core/identity';
import { EPOS_LOOK_AGAIN_MS, EPOS_WAIT_MAX_MS } from '@pos/core/webhook';
import type { AttemptRecord, EposDelivery } from '@pos/store/lanes';
import { type DeliveryOutside, retryAfter } from './delivery.js';
import type { EposDoor, EventOutcome } from './epos-door.js';
import type { Rest } from './lane-worker.js';

/** What telling an EPOS needs of the world. */
export type EposOutside = Omit<DeliveryOutside, 'egress'> & { readonly door: Pick<EposDoor, 'tell'> };

/** An event for an EPOS, and how long it may take. */
interface EposOrder {
  readonly scope: Scope;
  readonly delivery: EposDelivery;
  readonly deadlineMs: number;
}

const NOT_REGISTERED = 'the EPOS has not registered this kind any more';

/**
 * Tells the account's EPOS once, with the bytes that are stored. While there is no socket to tell it over, and while no
 * gateway can be reached, the lane rests and no attempt is counted; the first for a day at most.
 */
export async function attemptEposDelivery(outside: EposOutside, order: EposOrder): Promise<AttemptRecord | Rest> {
  const { scope, delivery, deadlineMs } = order;
  if (delivery.transport === null) return ended(delivery, NOT_REGISTERED);
  const startedAt = performance.now();
  outside.fault('epos-event.before-send');
  const told = await outside.door.tell({ scope, body: delivery.body, deadlineMs });
  outside.fault('epos-event.after-send');
  const result = resultOf(outside, delivery, told);
  outside.log.info('epos_event.attempted', {
    account_id: scope.accountId,
    environment: scope.environment,
    delivery_id: delivery.id,
    event_id: delivery.eventId,
    kind: delivery.kind,
    attempt: delivery.attempts + 1,
    outcome: told.outcome,
    ...('reason' in told && { reason: told.reason }),
    took_ms: Math.round(performance.now() - startedAt),
    ...('restMs' in result ? { rest_ms: result.restMs } : { retry_in_ms: result.retryInMs }),
  });
  return result;
}

function resultOf(outside: EposOutside, delivery: EposDelivery, told: EventOutcome): AttemptRecord | Rest {
  const { number, transport: registeredAs, ageMs: waitedMs } = delivery;
  if (told.outcome === 'accepted') {
    return { number, isDelivered: true, status: statusOf(told), error: null, retryInMs: null };
  }
  const rest = { restMs: Math.ceil(EPOS_LOOK_AGAIN_MS * outside.backoffScale) };
  if (told.outcome === 'untold') return rest;
  // An EPOS that is called failed to be there; one that connects is waited for.
  if (told.outcome === 'unreachable' && registeredAs === 'ws') {
    return waitedMs < EPOS_WAIT_MAX_MS ? rest : ended(delivery, `no socket was opened within a day: ${told.reason}`);
  }
  const retryInMs = retryAfter(outside, delivery);
  return { number, isDelivered: false, status: statusOf(told), error: told.reason, retryInMs };
}

/** A socket has none. */
function statusOf(told: EventOutcome): number | null {
  return 'httpStatus' in told && told.httpStatus !== 0 ? told.httpStatus : null;
}

function ended({ number }: EposDelivery, error: string): AttemptRecord {
  return { number, isDelivered: false, status: null, error, retryInMs: null };
}
