import { Inject, Injectable, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { requireValue } from '@pos/core/refusals/assert';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import { readInternalHost, readInternalKeys } from '@pos/service-kit/internal/internal-server';
import { formatHostPort } from '@pos/service-kit/network/listen-address';
import type { Log } from '@pos/service-kit/telemetry/log';
import { Database } from '@pos/store/database/database';
import type { Config } from '../config/config.js';
import { Vault } from '../vault/vault.js';
import { CardVaultGrpcServer } from './card-vault-server.js';

type OpenPort = Awaited<ReturnType<CardVaultGrpcServer['open']>>;

/** The port of the other processes of the service. Its calls carry no card number. */
@Injectable()
export class InternalPort implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #server: CardVaultGrpcServer;
  #port: OpenPort | null = null;

  constructor(
    database: Database,
    vault: Vault,
    accounts: AccountCache,
    calls: AcquirerCalls,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {
    const internalKeys = readInternalKeys(config);
    this.#server = new CardVaultGrpcServer({ database, vault, accounts, calls, internalKeys, log });
  }

  /** `host:port`, once the port is open. */
  get address(): string {
    return formatHostPort(readInternalHost(this.config), requireValue(this.#port, 'the open internal port').port);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { GRPC_PORT: port, CONNECTIONS_PER_ADDRESS: perAddress } = this.config;
    const connections = { perAddress, log: this.log };
    this.#port = await this.#server.open({ host: readInternalHost(this.config), port, connections });
  }

  async onModuleDestroy(): Promise<void> {
    await this.#port?.close();
  }
}

/** Stored cards for the other processes of the service. */
@Module({ providers: [InternalPort] })
export class InternalModule {}
