import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { createUnreadableCardReporter } from '@pos/payments/acquirer/unreadable-cards';
import { defineToken, provide } from '@pos/service-kit/nest/provide';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import { ConfigError } from '@pos/service-kit/config/config';
import { Database } from '@pos/store/database/database';
import { countCardNumbersByKey } from '@pos/store/payments/card-numbers';
import { CardAcquirerClient, type CardAcquirerClients } from '../acquirer/card-acquirer-client.js';
import type { Config } from '../config/config.js';
import { CardNumberCipher, createCardNumberCipher } from './card-number-cipher.js';
import { ErasureWorker } from './erasure-worker.js';
import { Vault } from './vault.js';

const CARD_ACQUIRERS = defineToken<CardAcquirerClients>('CARD_ACQUIRERS');

const PROVIDERS = [
  provide(CardNumberCipher, { config: CONFIG }, ({ config }) => createCardNumberCipher(config)),
  provide(CARD_ACQUIRERS, { config: CONFIG, log: LOG }, ({ config, log }): CardAcquirerClients => {
    const { ACQUIRER_ADDRESS: sandbox, ACQUIRER_ADDRESS_PRODUCTION: production }: Config = config;
    const reportCard = createUnreadableCardReporter(log);
    return {
      sandbox: new CardAcquirerClient(sandbox, reportCard),
      production: production === undefined ? null : new CardAcquirerClient(production, reportCard),
    };
  }),
  provide(
    Vault,
    { config: CONFIG, acquirers: CARD_ACQUIRERS, safe: CardNumberCipher },
    ({ config, acquirers, safe }) => {
      const { DEVICE_DATA_URL: deviceDataUrl }: Config = config;
      return new Vault({ acquirers, safe, deviceDataUrl });
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
    @Inject(CARD_ACQUIRERS) private readonly acquirers: CardAcquirerClients,
  ) {}

  /** A vault that cannot decrypt a stored number must not serve: a charge would fail long after the mistake. */
  async onModuleInit(): Promise<void> {
    const counts = await this.database.readSystem(countCardNumbersByKey);
    const missing = [...counts.keys()].filter((keyId) => !this.cipher.hasKey(keyId));
    if (missing.length > 0) throw new ConfigError([`VAULT_KEYS: lacks ${missing.join(', ')}, which stored cards need`]);
  }

  onApplicationShutdown(): void {
    this.acquirers.sandbox.close();
    this.acquirers.production?.close();
  }
}
