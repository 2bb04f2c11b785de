import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { requireValue } from '@pos/core/refusals';
import { SimulatedEnvironment } from '@pos/sandbox/environment';
import { CONFIG, LOG } from '@pos/service-kit/nest';
import { GRPC_TLS, HTTP_TLS } from '@pos/service-kit/config';
import { formatHostPort, openPortEncryption } from '@pos/service-kit/network';
import type { Log } from '@pos/service-kit/telemetry';
import { CHALLENGE_PATH } from '../pages/issuer-pages.js';
import type { SandboxConfig } from '../config/sandbox-config.js';
import { openEposServer } from './epos-server.js';
import { openGrpcServer } from './grpc-server.js';

type OpenPort = Awaited<ReturnType<typeof openEposServer>>;

/** The ports of the simulated world beside its control: gRPC of the acquirer and the EPOSes, and REST of the EPOSes. */
@Injectable()
export class SandboxPorts implements OnApplicationBootstrap, OnApplicationShutdown {
  #grpc: OpenPort | null = null;
  #epos: OpenPort | null = null;

  constructor(
    private readonly environment: SimulatedEnvironment,
    @Inject(CONFIG) private readonly config: SandboxConfig,
    @Inject(LOG) private readonly log: Log,
  ) {}

  get grpcPort(): number {
    return requireValue(this.#grpc, 'the open gRPC port').port;
  }

  /** Where EPOSes are called over REST. */
  get eposUrl(): string {
    const scheme = this.config.HTTP_TLS_CERT === undefined ? 'http' : 'https';
    return `${scheme}://${this.config.HOST}:${requireValue(this.#epos, 'the open port of the EPOSes').port}`;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { HOST: host, HTTP_PORT, GRPC_PORT, EPOS_HTTP_PORT, CONNECTIONS_PER_ADDRESS: perAddress } = this.config;
    const connections = { perAddress, log: this.log };
    const http = openPortEncryption(HTTP_TLS, this.config, this.log);
    const encryption = openPortEncryption(GRPC_TLS, this.config, this.log);
    const stepUpUrl = `${http.tls === null ? 'http' : 'https'}://${formatHostPort(host, HTTP_PORT)}${CHALLENGE_PATH}`;
    this.#grpc = await openGrpcServer(this.environment, {
      ...{ host, port: GRPC_PORT, stepUpUrl, connections, encryption },
      credential: this.config.ACQUIRER_CREDENTIAL ?? null,
    });
    this.#epos = await openEposServer(this.environment, { host, port: EPOS_HTTP_PORT, connections, encryption: http });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#epos?.close();
    await this.#grpc?.close();
  }
}
