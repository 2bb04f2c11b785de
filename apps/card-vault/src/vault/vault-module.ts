import { Global, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ACTIVITIES } from '@pos/nest-modules/database-module';
import { provide } from '@pos/service-kit/nest/provide';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import { ConfigError } from '@pos/service-kit/config/config';
import { Database } from '@pos/store/database/database';
import { countCardNumbersByKey } from '@pos/store/payments/card-numbers';
import { CardAcquirerClients } from '../acquirer/card-acquirer-clients.js';
import type { Config } from '../config/config.js';
import { CardNumberCipher, createCardNumberCipher } from './card-number-cipher.js';
import { ErasureWorker } from './erasure-worker.js';
import { Vault } from './vault.js';

const PROVIDERS = [
  provide(CardNumberCipher, { config: CONFIG }, ({ config }) => createCardNumberCipher(config)),
  provide(CardAcquirerClients, { config: CONFIG, log: LOG }, ({ config, log }) => new CardAcquirerClients(config, log)),
  provide(
    Vault,
    { config: CONFIG, acquirers: CardAcquirerClients, safe: CardNumberCipher, activities: ACTIVITIES },
    ({ config, acquirers, safe, activities }) => {
      const { DEVICE_DATA_URL: deviceDataUrl }: Config = config;
      return new Vault({ acquirers, safe, deviceDataUrl, activities });
    },
  ),
];

/** The stored card numbers, and the acquirers that are asked with a number. */
@Global()
@Module({ providers: [...PROVIDERS, ErasureWorker], exports: [Vault] })
export class VaultModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly cipher: CardNumberCipher,
    private readonly acquirers: CardAcquirerClients,
  ) {}

  /** A vault that cannot decrypt a stored number must not serve: a charge would fail long after the mistake. */
  async onModuleInit(): Promise<void> {
    const counts = await this.database.readSystem(countCardNumbersByKey);
    const missing = [...counts.keys()].filter((keyId) => !this.cipher.hasKey(keyId));
    if (missing.length > 0) throw new ConfigError([`VAULT_KEYS: lacks ${missing.join(', ')}, which stored cards need`]);
  }

  onApplicationShutdown(): void {
    this.acquirers.close();
  }
}
