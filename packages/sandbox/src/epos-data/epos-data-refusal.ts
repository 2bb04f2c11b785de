import type { EposError } from '@pos/rest-contracts/epos-data/epos-data';

export type EposErrorType = EposError['errorType'];

/** The EPOS says no in one of the four words of the EPOS Data API; the message is for whoever looks into it. */
export class EposDataRefusal extends Error {
  constructor(
    readonly errorType: EposErrorType,
    readonly debugMessage: string,
  ) {
    super(`${errorType}: ${debugMessage}`);
  }
}
