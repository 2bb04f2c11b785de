import { Refusal } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import { claimKey, expireKey, type IdempotencyKeyName } from '@pos/store/idempotency';
import type { BookingKey } from '@pos/store/tables';

/** The id that a caller gives a booking, and what the caller sent under it. */
export interface CallersBooking {
  readonly serviceId: string;
  /** The content in canonical form: a repeat sends the same. */
  readonly content: string;
}

/** A booking that is to be created; without content the service made the id. */
export type NewBooking = Pick<CallersBooking, 'serviceId'> & Partial<Pick<CallersBooking, 'content'>>;

/**
 * Binds the caller's id of a booking to its content. Refuses `idempotency_key_reused` for other content under the id, as
 * REST does under an idempotency key: the caller would take the answer for its own booking.
 */
export async function claimContent(
  tx: Tx,
  key: BookingKey,
  { content, keepUntil }: { readonly content: string; readonly keepUntil: Date },
): Promise<void> {
  const retentionMs = keepUntil.getTime() - tx.now.getTime();
  try {
    await claimKey(tx, { ...nameContent(key), fingerprintInput: content, retentionMs });
  } catch (error) {
    const isReused = error instanceof Refusal && error.code === 'idempotency_key_reused';
    throw isReused ? new Refusal(error.code, 'the id was used for a booking with other content') : error;
  }
}

/** The booking certainly does not exist: its id is free for other content. */
export function releaseContent(tx: Tx, key: BookingKey): Promise<void> {
  return expireKey(tx, nameContent(key));
}

/** No path of the REST API, so no key of a request is equal to it. */
function nameContent({ kind, serviceId }: BookingKey): IdempotencyKeyName {
  return { method: 'GRPC', path: `BookingService/Create${kind}`, key: serviceId };
}
