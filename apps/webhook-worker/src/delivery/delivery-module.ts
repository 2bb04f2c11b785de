import { readFileSync } from 'node:fs';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { provide } from '@pos/service-kit/nest/provide';
import { CONFIG } from '@pos/service-kit/nest/settings-module';
import { EgressClient } from '@pos/service-kit/egress/egress-client';
import type { Config } from '../config/config.js';
import { EposGatewayClient } from './epos-gateway-client.js';

const PROVIDERS = [
  provide(EgressClient, { config: CONFIG }, ({ config }) => {
    const { EGRESS_ALLOW: allow, EGRESS_CA_FILE: file }: Config = config;
    return new EgressClient({ allow, certificateAuthority: file === undefined ? null : readFileSync(file, 'utf8') });
  }),
  provide(EposGatewayClient, { config: CONFIG }, ({ config }) => {
    const { GATEWAY_INTERNAL_ADDRESSES: addresses, GATEWAY_INTERNAL_KEY: key }: Config = config;
    return new EposGatewayClient(addresses, key?.reveal() ?? null);
  }),
];

/** The connections over which events leave: to receivers of webhooks, and to the gateways that reach EPOSes. */
@Module({ providers: PROVIDERS, exports: [EgressClient, EposGatewayClient] })
export class DeliveryModule implements OnApplicationShutdown {
  constructor(
    private readonly egress: EgressClient,
    private readonly gateways: EposGatewayClient,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.gateways.close();
    await this.egress.close();
  }
}
