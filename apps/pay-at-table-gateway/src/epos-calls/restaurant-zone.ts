import type { Scope } from '@pos/core/identity/identity';
import { toContractMoment } from '@pos/rest-contracts/epos-data/local-moment';
import { parseMoment } from '@pos/rest-contracts/shapes/moment';

/** The IANA time zone of the restaurant of an account: the zone of times that its EPOS sends without an offset. */
export function getRestaurantZone(_scope: Scope): string {
  return 'UTC';
}

/** Reads a time of the restaurant's EPOS; without an offset it is a local time. Null for any other text. */
export function parseRestaurantTime(scope: Scope, text: string): Date | null {
  const moment = toContractMoment(text, getRestaurantZone(scope));
  return moment === null ? null : parseMoment(moment);
}
