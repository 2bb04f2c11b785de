import { readFileSync } from 'node:fs';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { InternalIdentity } from '@pos/service-kit/internal';
import { CONFIG, LOG, provide } from '@pos/service-kit/nest';
import { EgressClient } from '@pos/service-kit/egress';
import type { Config } from '../config/config.js';
import { EposGatewayClient } from './epos-gateway-client.js';

const GATEWAY = { app: 'pay-at-table-gateway', addressSetting: 'GATEWAY_INTERNAL_ADDRESSES' } as const;

const PROVIDERS = [
  provide(EgressClient, { config: CONFIG }, ({ config }) => {
    const { EGRESS_ALLOW: allow, EGRESS_CA_FILE: file }: Config = config;
    return new EgressClient({ allow, certificateAuthority: file === undefined ? null : readFileSync(file, 'utf8') });
  }),
  provide(InternalIdentity, { config: CONFIG, log: LOG }, ({ config, log }) => new InternalIdentity(config, log)),
  provide(EposGatewayClient, { config: CONFIG, identity: InternalIdentity }, ({ config, identity }) => {
    const { GATEWAY_INTERNAL_ADDRESSES: addresses }: Config = config;
    return new EposGatewayClient(addresses, (address) => identity.createChannel({ ...GATEWAY, address }));
  }),
];

/** The connections over which events leave: to receivers of webhooks, and to the gateways that reach EPOSes. */
@Module({ providers: PROVIDERS, exports: [EgressClient, EposGatewayClient] })
export class DeliveryModule implements OnApplicationShutdown {
  constructor(
    private readonly egress: EgressClient,
    private readonly gateways: EposGatewayClient,
    private readonly identity: InternalIdentity,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.gateways.close();
    this.identity.close();
    await this.egress.close();
  }
}
