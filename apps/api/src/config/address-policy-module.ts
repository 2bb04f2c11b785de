import { Module } from '@nestjs/common';
import { RegistrableAddressPolicy } from '@pos/service-kit/egress';
import { CONFIG, provide } from '@pos/service-kit/nest';
import { readAddressPolicy } from './config.js';

const POLICY = provide(
  RegistrableAddressPolicy,
  { config: CONFIG },
  ({ config }) => new RegistrableAddressPolicy(readAddressPolicy(config)),
);

/** Which addresses of receivers and EPOSes an account may register. */
@Module({ providers: [POLICY], exports: [RegistrableAddressPolicy] })
export class AddressPolicyModule {}
