import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { EgressClient } from '@pos/service-kit/egress';
import { GrpcServer } from '@pos/service-kit/grpc';
import { InternalIdentity } from '@pos/service-kit/internal';
import { ConnectionRegistry } from './connections/connection-registry.js';
import { ConnectionMonitor } from './connections/connection-monitor.js';
import { EposSocketService } from './epos-connections/epos-socket-service.js';
import { CallRunner } from './epos-routing/call-runner.js';
import { GatewayForwarder } from './epos-routing/gateway-forwarder.js';
import { GatewayInternalServer } from './epos-routing/internal-server.js';
import { EposChannelPool } from './epos-transports/epos-channel-pool.js';
import { LocalEposConnections } from './epos-transports/local-epos-connections.js';
import { MachineCommandDispatcher } from './machines/machine-command-dispatcher.js';
import { JourneyWatcher } from './journeys/journey-watcher.js';
import { TableTimerWorker } from './table-payments/table-timer-worker.js';

const EPOS_DRAIN_TIMEOUT_MS = 10_000;

/** Starts and stops the parts of a gateway in the order of their dependencies. */
@Injectable()
export class GatewayLifecycle implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly registry: ConnectionRegistry,
    private readonly monitor: ConnectionMonitor,
    private readonly dispatcher: MachineCommandDispatcher,
    private readonly runner: CallRunner,
    private readonly localConnections: LocalEposConnections,
    private readonly eposSockets: EposSocketService,
    private readonly internalServer: GatewayInternalServer,
    private readonly forwarder: GatewayForwarder,
    private readonly identity: InternalIdentity,
    private readonly channels: EposChannelPool,
    private readonly egress: EgressClient,
    private readonly publicServer: GrpcServer,
    private readonly timerWorker: TableTimerWorker,
    private readonly journeyWatcher: JourneyWatcher,
  ) {}

  /** Opens the internal port, then starts the background work: renewals, heartbeats, commands, payments. */
  async onApplicationBootstrap(): Promise<void> {
    await this.internalServer.open();
    this.monitor.start();
    await this.registry.start();
    await this.dispatcher.start();
    await this.journeyWatcher.start();
    await this.timerWorker.start();
  }

  /**
   * Stops the payments at tables, then refuses new calls to EPOSes and waits for the running ones. The ports stay open until
   * then. HTTP closes after this, so health answers while the gateway drains.
   */
  async onModuleDestroy(): Promise<void> {
    // The runners finish their work while the EPOSes can still be reached.
    await this.timerWorker.stop();
    await this.journeyWatcher.stop();
    this.runner.drain();
    await this.localConnections.drain(EPOS_DRAIN_TIMEOUT_MS);
    this.eposSockets.close();
    await this.publicServer.close();
    await this.internalServer.close();
  }

  /** Stops the background work; the streams have ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher.stop();
    this.monitor.stop();
    await this.registry.stop();
    this.forwarder.close();
    this.identity.close();
    this.channels.close();
    await this.egress.close();
  }
}
