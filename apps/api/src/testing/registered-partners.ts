import { PARTNER_KINDS } from '@pos/core/accounts';
import { registerPartner } from '@pos/administration/partners';
import type { Database } from '@pos/store/database';

/** The partners that the requests of the tests name. */
export const TEST_PARTNERS = { 'software-house-id': 'softwareHouse1', 'reseller-id': 'reseller1' };

/** Registers them, so that production accepts them as the sandbox accepts all. */
export async function registerTestPartners(database: Database): Promise<void> {
  for (const kind of PARTNER_KINDS) {
    const id = TEST_PARTNERS[`${kind}-id`];
    await registerPartner(database, { actor: 'tests', reason: 'tests' }, { kind, id, name: id, contact: null });
  }
}
