import type { ServiceError } from '@grpc/grpc-js';
import type { RefusalCode } from '@pos/core/refusals';
import { REFUSAL_TRAILER } from '../grpc/grpc-errors.js';

const CALLER_REFUSALS: ReadonlySet<unknown> = new Set<RefusalCode>(['unauthenticated', 'permission_missing']);

/**
 * Why an internal port refused this process before it did anything; null for every other failure. The status alone does
 * not say this: a gateway ends a call with PERMISSION_DENIED, too, when the EPOS refuses the gateway's credentials.
 */
export function findCallerRefusal({ metadata, details }: ServiceError): string | null {
  const [code] = metadata.get(REFUSAL_TRAILER);
  return CALLER_REFUSALS.has(code) ? details : null;
}
