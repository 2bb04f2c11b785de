import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { requireValue } from '@pos/core/refusals/assert';
import { EgressClient } from '@pos/service-kit/egress/egress-client';
import { GrpcServer } from '@pos/service-kit/grpc/grpc-server';
import { readInternalHost } from '@pos/service-kit/internal/internal-server';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import { formatHostPort } from '@pos/service-kit/network/listen-address';
import type { Log } from '@pos/service-kit/telemetry/log';
import type { Config } from '../config/config.js';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import { GatewayIdentity } from '../connections/gateway-identity.js';
import { ConnectionMonitor } from '../connections/line-keeper.js';
import { EposSocketService } from '../epos-connections/epos-sockets.js';
import { CallRunner } from '../epos-routing/call-runner.js';
import { GatewayForwarder } from '../epos-routing/epos-forwards.js';
import { EposService } from '../epos-routing/epos-service.js';
import { openInternalServer } from '../epos-routing/internal-client.js';
import { EposChannelPool } from '../epos-transports/epos-channels.js';
import { LocalEposConnections } from '../epos-transports/epos-streams.js';
import { MachineCommandDispatcher } from '../machines/machine-lines.js';
import type { TableServices } from './table-services.js';
import { TABLE_SERVICES } from './tables-module.js';

const EPOS_DRAIN_TIMEOUT_MS = 10_000;

type InternalPort = Awaited<ReturnType<typeof openInternalServer>>;

/** In which order a gateway starts and stops, so that each part still has what it needs. */
@Injectable()
export class GatewayLifecycle implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  #internal: InternalPort | null = null;

  constructor(
    private readonly identity: GatewayIdentity,
    private readonly registry: ConnectionRegistry,
    private readonly monitor: ConnectionMonitor,
    private readonly dispatcher: MachineCommandDispatcher,
    private readonly runner: CallRunner,
    private readonly localConnections: LocalEposConnections,
    private readonly eposSockets: EposSocketService,
    private readonly eposService: EposService,
    private readonly forwarder: GatewayForwarder,
    private readonly channels: EposChannelPool,
    private readonly egress: EgressClient,
    private readonly publicPort: GrpcServer,
    @Inject(TABLE_SERVICES) private readonly tables: TableServices,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** `host:port` of the internal port, once it is open. */
  get internalAddress(): string {
    return formatHostPort(readInternalHost(this.config), requireValue(this.#internal, 'the open internal port').port);
  }

  /** Opens the port of the other processes, then starts what runs by itself: renewals, heartbeats, commands, payments. */
  async onApplicationBootstrap(): Promise<void> {
    const { INTERNAL_GRPC_PORT: port, CONNECTIONS_PER_ADDRESS: perAddress, ADVERTISED_ADDRESS } = this.config;
    this.#internal = await openInternalServer({
      ...{ host: readInternalHost(this.config), port, service: this.eposService },
      connections: { perAddress, log: this.log },
    });
    this.identity.address = ADVERTISED_ADDRESS ?? this.internalAddress;
    this.monitor.start();
    await this.registry.start();
    await this.dispatcher.start();
    await this.tables.start();
  }

  /**
   * Hands payments at tables back, then takes no new calls to EPOSes and gives those outstanding a while; the ports are
   * open until then. HTTP closes after this, so health answers while the gateway drains.
   */
  async onModuleDestroy(): Promise<void> {
    // The runners end what they have begun while the EPOSes can still be reached.
    await this.tables.stop();
    this.runner.drain();
    await this.localConnections.drain(EPOS_DRAIN_TIMEOUT_MS);
    this.eposSockets.close();
    await this.publicPort.close();
    await this.#internal?.close();
  }

  /** Stops what runs by itself; the streams have ended by now. */
  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher.stop();
    this.monitor.stop();
    await this.registry.stop();
    this.forwarder.close();
    this.channels.close();
    await this.egress.close();
  }
}
