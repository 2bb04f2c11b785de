import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { NotSent, NotSentReason } from './gen/service/gateway_internal/v1/epos_service.js';

/** The trailer that distinguishes "refused before anything was sent to the EPOS" from "no answer". */
export const NOT_SENT_TRAILER = 'service-epos-not-sent-bin';

/** Builds the refusal of a call of EposService that never reached the EPOS. */
export function createNotSentError(
  reason: NotSentReason,
  detail: string,
): { code: status; details: string; metadata: Metadata } {
  const metadata = new Metadata();
  metadata.set(NOT_SENT_TRAILER, Buffer.from(NotSent.encode({ reason, detail }).finish()));
  return { code: status.FAILED_PRECONDITION, details: `not sent: ${detail}`.slice(0, 512), metadata };
}

/**
 * The proof that the EPOS knows nothing of a failed call, or null. Null means "no answer": only FAILED_PRECONDITION
 * with a readable trailer that names a reason counts as proof.
 */
export function findNotSent(error: Pick<ServiceError, 'code' | 'metadata'>): NotSent | null {
  if (error.code !== status.FAILED_PRECONDITION) return null;
  const [trailer] = error.metadata.get(NOT_SENT_TRAILER);
  if (!Buffer.isBuffer(trailer)) return null;
  const proof = decodeTrailer(trailer);
  if (proof === null || isUnnamed(proof.reason)) return null;
  return proof;
}

function decodeTrailer(trailer: Buffer): NotSent | null {
  try {
    return NotSent.decode(trailer);
  } catch {
    // Unreadable bytes prove nothing.
    return null;
  }
}

function isUnnamed(reason: NotSentReason): boolean {
  return reason === NotSentReason.NOT_SENT_REASON_UNSPECIFIED || reason === NotSentReason.UNRECOGNIZED;
}
