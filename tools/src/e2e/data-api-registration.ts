import { deleteRestIntegration, putRestIntegration } from '@pos/rest-contracts/accounts';
import type { EposCapability } from '@pos/core/tables';
import type { Stage, StageRestaurant } from './stage.js';

/**
 * Registers the EPOS of the restaurant for these calls over REST, beside its tables. Returns what ends the registration.
 */
export async function registerDataApi(
  stage: Stage,
  house: StageRestaurant,
  capabilities: readonly EposCapability[],
): Promise<() => Promise<void>> {
  const { username, password } = house.account.epos;
  await stage.api(house)(putRestIntegration, {
    body: {
      url: stage.world.addresses.sandboxEpos,
      auth: { authType: 'basic', basic: { username, password } },
      capabilities: capabilities.map((name) => ({ name, version: 'v1' as const })),
    },
  });
  return async () => {
    await stage.api(house)(deleteRestIntegration, {});
  };
}
