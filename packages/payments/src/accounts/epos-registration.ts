import type { RegisteredCapability } from '@pos/core/tables/epos-capability';
import type { Scope } from '@pos/core/identity/identity';
import { createViolation } from '@pos/core/refusals/refusal';
import type { Reader, Tx } from '@pos/store/database/database';
import {
  deleteEposIntegration,
  type EposIntegration,
  findEposIntegration,
  listEposIntegrations,
  putEposIntegration,
} from '@pos/store/repositories/epos-integrations';

/** What an integrator registers himself; the operator's own integrations are not among it. */
export type RegisteredKind = 'rest' | 'ws' | 'grpc';

/** How an EPOS is called: where, and as whom. */
export interface EposAddress {
  readonly url: string;
  readonly username: string;
  /** In clear; stored sealed. */
  readonly password: string;
}

/** All that is registered of one kind from now on. Addresses are for kinds that are called. */
export interface RegistrationRequest {
  readonly kind: RegisteredKind;
  readonly address: EposAddress | null;
  readonly capabilities: readonly Omit<RegisteredCapability, 'updatedAt'>[];
}

/** How EPOSes are registered: each registration is the whole truth of its kind, one for each account and environment. */
export class EposRegistration {
  /** Addresses without TLS are for sandbox accounts, and only where the operator lets them be. */
  constructor(private readonly settings: { readonly allowsPlaintext: boolean }) {}

  /** Replaces what was registered of the kind. Refuses an address without TLS by its member. */
  async register(tx: Tx, { kind, address, capabilities }: RegistrationRequest): Promise<EposIntegration[]> {
    const { url = null, username = null, password = null } = address ?? {};
    if (url !== null) this.requireTls(tx.scope, url);
    await putEposIntegration(tx, { kind, url, username, password, capabilities });
    return listIntegrationsOfKind(tx, kind);
  }

  /** Nothing of the kind is registered from now on, whatever was; the credentials are gone. */
  async unregister(tx: Tx, kind: RegisteredKind): Promise<void> {
    await deleteEposIntegration(tx, kind);
  }

  /** Refuses, under `url`, an address without TLS where only those of sandboxes may have none. */
  requireTls({ environment }: Scope, url: string): void {
    if (new URL(url).protocol === 'https:') return;
    if (this.settings.allowsPlaintext && environment === 'sandbox') return;
    throw createViolation('validation_failed', 'url', 'Must be an https address.');
  }
}

/** What is registered of the kind: nothing or one. */
export async function listIntegrationsOfKind(
  reader: Reader,
  kind: EposIntegration['kind'],
): Promise<EposIntegration[]> {
  const integration = await findEposIntegration(reader, kind);
  return integration === null ? [] : [integration];
}

/** All that is registered, at most one of each kind. */
export function listIntegrations(reader: Reader): Promise<EposIntegration[]> {
  return listEposIntegrations(reader);
}
