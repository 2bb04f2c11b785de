import { listCapabilities, type EposCapability } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { listEposIntegrations } from '@pos/store/repositories';
import type { TransportSelection } from './run-params.js';

/** Reads the registration of the account's EPOS. */
export class EposRegistrationReader {
  constructor(private readonly database: Database) {}

  /** Whether an address is registered for this transport: `grpc`, or `rest`. */
  async hasAddress(scope: Scope, kind: 'grpc' | 'rest'): Promise<boolean> {
    const found = await this.database.read(scope, listEposIntegrations);
    return found.some((each) => each.kind === kind && each.url !== null);
  }

  /** The capabilities of the EPOS Data API over the transports that the request permits. */
  async capabilities(scope: Scope, request: TransportSelection): Promise<ReadonlySet<EposCapability>> {
    const found = await this.database.read(scope, listEposIntegrations);
    const open = found.filter(({ kind }) => (request === 'auto' ? kind === 'rest' || kind === 'ws' : kind === request));
    return new Set(open.flatMap((each) => listCapabilities(each.capabilities)));
  }
}
