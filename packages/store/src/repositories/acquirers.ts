import type { AcquirerCapabilities } from '@pos/core/acquirer';
import type { Environment } from '@pos/core/identity';
import type { Database, SystemReader } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';

/** What an acquirer has declared. */
export interface DeclaredAcquirer {
  readonly environment: Environment;
  readonly name: string;
  readonly capabilities: AcquirerCapabilities;
}

const LIST = defineStatement('list_declared_acquirers', 'select environment, name, capabilities from acquirers');

/** Two processes that ask at the same moment get the same answer; the later one stays. */
const STORE = `insert into acquirers (environment, name, capabilities, declared_at) values ($1, $2, $3, $4)
  on conflict (environment, name) do update
    set capabilities = excluded.capabilities, declared_at = excluded.declared_at`;

/** What every acquirer has last declared, of all processes that have ever used this database. */
export function listDeclaredAcquirers(reader: Pick<SystemReader, 'query'>): Promise<DeclaredAcquirer[]> {
  return reader.query(LIST, []);
}

/** Stores what an acquirer declares now. */
export async function storeDeclaration(
  database: Database,
  { environment, name, capabilities }: DeclaredAcquirer,
): Promise<void> {
  const declaredAt = await database.now();
  await database.dataSource.query(STORE, [environment, name, JSON.stringify(capabilities), declaredAt]);
}
