import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Defect } from '@pos/core/refusals';
import { ACTIVITIES } from '@pos/nest-modules';
import { CONFIG, LOG, provide } from '@pos/service-kit/nest';
import { ConfigError } from '@pos/service-kit/config';
import type { Log } from '@pos/service-kit/telemetry';
import { Database } from '@pos/store/database';
import { CardAcquirerClients } from '../acquirer/card-acquirer-clients.js';
import type { Config } from '../config/config.js';
import { createMasterKeys } from '../keys/create-master-keys.js';
import { CardNumberCipher } from './card-number-cipher.js';
import { ErasureWorker } from './erasure-worker.js';
import { checkStoredNumbers } from './stored-number-check.js';
import { Vault } from './vault.js';

const PROVIDERS = [
  provide(
    CardNumberCipher,
    { config: CONFIG, log: LOG },
    ({ config, log }) => new CardNumberCipher(createMasterKeys(config, log)),
  ),
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
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * A vault that cannot decrypt a stored number must not serve: a charge would fail long after the mistake. A key service
   * that does not answer is no mistake: cards that are not stored are charged without it.
   */
  async onModuleInit(): Promise<void> {
    await this.#requireCurrentKey();
    const { unusable, unanswered } = await checkStoredNumbers(this.database, this.cipher);
    if (unusable.length > 0) {
      const ids = unusable.join(', ');
      throw new ConfigError([`VAULT_KEYS: lacks ${ids}, or has other bytes under the id, and stored cards need it`]);
    }
    if (unanswered.length > 0) this.log.error('vault.numbers_unchecked', { key_ids: unanswered });
  }

  async #requireCurrentKey(): Promise<void> {
    try {
      await this.cipher.findCurrentKeyId();
    } catch (error) {
      if (!(error instanceof Defect)) return;
      throw new ConfigError([`KEY_SERVICE_KEY: ${error.message}`]);
    }
  }

  onApplicationShutdown(): void {
    this.acquirers.close();
    this.cipher.close();
  }
}
