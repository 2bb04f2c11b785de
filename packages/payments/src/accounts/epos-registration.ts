import type { RegisteredCapability } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import { createViolation } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import {
  deleteEposIntegration,
  type EposIntegration,
  findEposIntegration,
  listEposIntegrations,
  putEposIntegration,
} from '@pos/store/repositories';

/** The kinds that integrators register themselves; the operator's own integrations are not included. */
export type RegisteredKind = 'rest' | 'ws' | 'grpc';

/** The address of an EPOS and the credentials for it. */
export interface EposAddress {
  readonly url: string;
  readonly username: string;
  /** In clear; stored sealed. */
  readonly password: string;
}

/** The complete registration of one kind from now on. Addresses are for kinds that are called. */
export interface RegistrationRequest {
  readonly kind: RegisteredKind;
  readonly address: EposAddress | null;
  readonly capabilities: readonly Omit<RegisteredCapability, 'updatedAt'>[];
}

/**
 * Registers EPOSes: each registration replaces the previous one of its kind, one for each account and environment.
 */
export class EposRegistration {
  /** Addresses without TLS are for sandbox accounts, and only if the operator allows them. */
  constructor(private readonly settings: { readonly allowsPlaintext: boolean }) {}

  /** Replaces the registration of the kind. Refuses an address without TLS by its member. */
  async register(tx: Tx, { kind, address, capabilities }: RegistrationRequest): Promise<EposIntegration[]> {
    const { url = null, username = null, password = null } = address ?? {};
    if (url !== null) this.requireTls(tx.scope, url);
    await putEposIntegration(tx, { kind, url, username, password, capabilities });
    return listIntegrationsOfKind(tx, kind);
  }

  /** Deletes the registration of the kind with its credentials, if there is one. */
  async unregister(tx: Tx, kind: RegisteredKind): Promise<void> {
    await deleteEposIntegration(tx, kind);
  }

  /** Refuses, under `url`, an address without TLS unless it belongs to a sandbox that may have one. */
  requireTls({ environment }: Scope, url: string): void {
    if (new URL(url).protocol === 'https:') return;
    if (this.settings.allowsPlaintext && environment === 'sandbox') return;
    throw createViolation('validation_failed', 'url', 'Must be an https address.');
  }
}

/** The registrations of the kind: none or one. */
export async function listIntegrationsOfKind(
  reader: Reader,
  kind: EposIntegration['kind'],
): Promise<EposIntegration[]> {
  const integration = await findEposIntegration(reader, kind);
  return integration === null ? [] : [integration];
}

/** All registrations, at most one of each kind. */
export function listIntegrations(reader: Reader): Promise<EposIntegration[]> {
  return listEposIntegrations(reader);
}
