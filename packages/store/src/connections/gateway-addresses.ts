import type { SystemReader } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';

const ADDRESSES = defineStatement(
  'list_gateway_addresses',
  `select distinct gateway_address as address from connections
   where closed_at is null and alive_until > $1 order by address`,
);

/** The internal addresses of the gateways that hold a connection at a time of the database. */
export async function listGatewayAddresses(reader: SystemReader, databaseNow: Date): Promise<string[]> {
  return (await reader.query<{ address: string }>(ADDRESSES, [databaseNow])).map(({ address }) => address);
}
