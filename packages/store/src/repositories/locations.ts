import { type Environment, isId, type LocationId } from '@pos/core/identity';
import { type LocationRow, locations } from '../relations/account-relations.js';
import { insertScopedRows, selectRow, selectRows, updateScopedRows } from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

/** Premises of an account. Terminals belong to one. */
export interface Location {
  readonly id: LocationId;
  readonly name: string;
  readonly address: string | null;
  readonly phoneNumber: string | null;
  /** A name of the IANA database, or `UTC`. */
  readonly timeZone: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Inserts a location of the transaction's account. The first location of an account exists in both environments. */
export async function insertLocation(
  tx: Tx,
  location: Location,
  environments: readonly Environment[] = [tx.scope.environment],
): Promise<void> {
  const { id, name, address, phoneNumber, timeZone, createdAt, updatedAt } = location;
  const times = { time_zone: timeZone, created_at: createdAt, updated_at: updatedAt };
  const row = { id, name, address, phone_number: phoneNumber, ...times };
  await insertScopedRows(
    tx,
    locations,
    environments.map((environment) => ({ ...row, environment })),
  );
}

/** The location, or null: an unknown, foreign or malformed id. */
export async function findLocation(reader: Reader, id: string): Promise<Location | null> {
  if (!isId('location', id)) return null;
  const row = await selectRow(reader, locations, { id });
  return row === null ? null : toLocation(row);
}

/** All locations of the scope, oldest first. */
export async function listLocations(reader: Reader): Promise<Location[]> {
  return (await selectRows(reader, locations, (select) => select.orderBy('row.created_at').addOrderBy('row.id'))).map(
    toLocation,
  );
}

/** Changes the named members of a location. */
export async function updateLocation(
  tx: Tx,
  id: LocationId,
  { name, address, phoneNumber, timeZone }: Partial<Pick<Location, 'name' | 'address' | 'phoneNumber' | 'timeZone'>>,
): Promise<void> {
  const set = {
    ...(name !== undefined && { name }),
    ...(address !== undefined && { address }),
    ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    updated_at: tx.now,
  };
  await updateScopedRows(tx, locations, { where: { id }, set });
}

function toLocation(row: LocationRow): Location {
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    phoneNumber: row.phone_number,
    timeZone: row.time_zone,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
