import { Inject, Injectable, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { requireValue } from '@pos/core/refusals';
import { AccountCache } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { CONFIG, LOG } from '@pos/service-kit/nest';
import { InternalIdentity, STORED_NUMBERS_HEALTH } from '@pos/service-kit/internal';
import { PollingLoop } from '@pos/service-kit/lifecycle';
import { formatHostPort } from '@pos/service-kit/network';
import type { Log } from '@pos/service-kit/telemetry';
import { Database } from '@pos/store/database';
import type { Config } from '../config/config.js';
import { checkStoredNumbers } from '../vault/stored-number-check.js';
import { Vault } from '../vault/vault.js';
import { CardVaultGrpcServer } from './card-vault-server.js';

type OpenPort = Awaited<ReturnType<CardVaultGrpcServer['open']>>;

const NUMBER_CHECK_INTERVAL_MS = 60_000;

/** The port of the other processes of the service. Its calls carry no card number. */
@Injectable()
export class InternalPort implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #server: CardVaultGrpcServer;
  readonly #identity: InternalIdentity;
  #port: OpenPort | null = null;
  #numberCheck: PollingLoop | null = null;

  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    accounts: AccountCache,
    calls: AcquirerCalls,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.#identity = new InternalIdentity(config, log);
    this.#server = new CardVaultGrpcServer({ database, vault, accounts, calls, log });
  }

  /** `host:port`, once the port is open. */
  get address(): string {
    return formatHostPort(this.config.INTERNAL_HOST, requireValue(this.#port, 'the open internal port').port);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { INTERNAL_HOST: host, GRPC_PORT: port, CONNECTIONS_PER_ADDRESS: perAddress } = this.config;
    const connections = { perAddress, log: this.log };
    const credentials = this.#identity.createServerCredentials();
    this.#port = await this.#server.open({ host, port, connections, credentials });
    this.#numberCheck = new PollingLoop({
      ...{ name: 'stored numbers', pauseMs: NUMBER_CHECK_INTERVAL_MS, log: this.log },
      pass: () => this.#checkNumbers(requireValue(this.#port, 'the open internal port')),
    });
    this.#numberCheck.start();
  }

  /** Another vault may have stored numbers under a key that this one lacks, after both have started. */
  async #checkNumbers({ setHealth }: OpenPort): Promise<boolean> {
    const { unusable, unanswered } = await checkStoredNumbers(this.database, this.vault.safe);
    setHealth(STORED_NUMBERS_HEALTH, unusable.length === 0 && unanswered.length === 0);
    if (unusable.length > 0) this.log.error('vault.numbers_unusable', { key_ids: unusable });
    if (unanswered.length > 0) this.log.error('vault.numbers_unchecked', { key_ids: unanswered });
    return false;
  }

  async onModuleDestroy(): Promise<void> {
    await this.#numberCheck?.stop();
    await this.#port?.close();
    this.#identity.close();
  }
}

/** Stored cards for the other processes of the service. */
@Module({ providers: [InternalPort] })
export class InternalModule {}
