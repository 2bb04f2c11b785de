import type { AuditedChange } from '@pos/core/administration';
import { createViolation, requireValue } from '@pos/core/refusals';
import { isTimeZone, UTC } from '@pos/core/time';
import type { Reader, Tx } from '@pos/store/database';
import { findLocation, insertLocation, listLocations, type Location, updateLocation } from '@pos/store/repositories';
import { recordChange, requireAccount, requireActiveAccount, requireLine } from '@pos/payments/audit';

/** What is known of premises. */
export interface LocationRequest {
  readonly name: string;
  readonly address?: string;
  readonly phoneNumber?: string;
  /** A name of the IANA database; `UTC` when left out of a new location. */
  readonly timeZone?: string;
}

const NAME_LENGTH_MAX = 200;
const ADDRESS_LENGTH_MAX = 200;
const PHONE_LENGTH_MAX = 40;

/** Adds a location to the account. Refuses an unknown or disabled account, and texts that are no line. */
export async function createLocation(tx: Tx, change: AuditedChange, request: LocationRequest): Promise<Location> {
  await requireActiveAccount(tx);
  requireTexts(request);
  const { name, address = null, phoneNumber = null, timeZone = UTC } = request;
  const times = { createdAt: tx.now, updatedAt: tx.now };
  const location: Location = { id: await tx.newId('location'), name, address, phoneNumber, timeZone, ...times };
  await insertLocation(tx, location);
  const after = { name, address, phoneNumber, timeZone };
  await recordChange(tx, change, { action: 'CreateLocation', subject: location.id, after });
  return location;
}

/** Changes the named members of a location. Refuses an unknown one. */
export async function changeLocation(
  tx: Tx,
  change: AuditedChange,
  { id, ...request }: Partial<LocationRequest> & { readonly id: string },
): Promise<Location> {
  const before = await requireLocation(tx, id);
  requireTexts(request);
  await updateLocation(tx, before.id, request);
  const after = requireValue(await findLocation(tx, id), `location ${id}`);
  const states = { before: describeLocation(before), after: describeLocation(after) };
  await recordChange(tx, change, { action: 'UpdateLocation', subject: before.id, ...states });
  return after;
}

/** The locations of the scope, oldest first. Refuses an unknown account. */
export async function listAccountLocations(reader: Reader): Promise<Location[]> {
  await requireAccount(reader);
  return listLocations(reader);
}

/** The location with this id. Refuses an unknown account, and an unknown location under the member `location`. */
export async function requireLocation(reader: Reader, id: string): Promise<Location> {
  const location = await findLocation(reader, id);
  if (location !== null) return location;
  await requireAccount(reader);
  throw createViolation('validation_failed', 'location', 'is not a location of the account');
}

function describeLocation({ name, address, phoneNumber, timeZone }: Location) {
  return { name, address, phoneNumber, timeZone };
}

function requireTexts({ name, address, phoneNumber, timeZone }: Partial<LocationRequest>): void {
  if (name !== undefined) requireLine('name', name, NAME_LENGTH_MAX);
  if (address !== undefined) requireLine('address', address, ADDRESS_LENGTH_MAX);
  if (phoneNumber !== undefined) requireLine('phone', phoneNumber, PHONE_LENGTH_MAX);
  if (timeZone !== undefined) requireTimeZone(timeZone);
}

/** Refuses a text that names no zone of this runtime. */
export function requireTimeZone(timeZone: string): void {
  if (isTimeZone(timeZone)) return;
  throw createViolation('validation_failed', 'time-zone', 'must be UTC or a zone such as Europe/London');
}
