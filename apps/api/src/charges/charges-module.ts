import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts';
import { Charges } from '@pos/payments/captures-refunds';
import { CardVaultClient } from '@pos/payments/online';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { PAYMENT_SETTINGS } from '@pos/nest-modules';
import { InternalIdentity } from '@pos/service-kit/internal';
import { CONFIG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { readCardVaultTarget } from '../config/config.js';
import { InternalIdentityModule } from '../config/internal-identity-module.js';
import { ChargesController } from './charges-controller.js';

const VAULT = provide(CardVaultClient, { config: CONFIG, identity: InternalIdentity }, ({ config, identity }) => {
  const target = readCardVaultTarget(config);
  return new CardVaultClient(target.address, identity.createChannel(target));
});
const CHARGES = provide(
  Charges,
  {
    ...{ database: Database, accounts: AccountCache, vault: CardVaultClient },
    ...{ calls: AcquirerCalls, settings: PAYMENT_SETTINGS },
  },
  (parts) => new Charges(parts),
);

/** Charges of stored cards, which the card vault asks the acquirer for. */
@Module({ imports: [InternalIdentityModule], controllers: [ChargesController], providers: [VAULT, CHARGES] })
export class ChargesModule implements OnApplicationShutdown {
  constructor(private readonly vault: CardVaultClient) {}

  onApplicationShutdown(): void {
    this.vault.close();
  }
}
