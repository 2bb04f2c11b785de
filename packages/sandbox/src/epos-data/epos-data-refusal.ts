import type { EposError } from '@pos/rest-contracts/epos-data';

export type EposErrorType = EposError['errorType'];

/**
 * The EPOS refuses with one of the four error types of the EPOS Data API. The message is for the person who reads the
 * log.
 */
export class EposDataRefusal extends Error {
  constructor(
    readonly errorType: EposErrorType,
    readonly debugMessage: string,
  ) {
    super(`${errorType}: ${debugMessage}`);
  }
}
