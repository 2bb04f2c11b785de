import { Module } from '@nestjs/common';
import { EposRegistration } from '@pos/payments/accounts/epos-registration';
import { provide } from '@pos/service-kit/nest/provide';
import { CONFIG } from '@pos/service-kit/nest/settings-module';
import { readAddressPolicy } from '../config/config.js';
import { AddressPolicyModule } from '../config/address-policy-module.js';
import { EposController } from './epos-controller.js';

const REGISTRATION = provide(
  EposRegistration,
  { config: CONFIG },
  ({ config }) => new EposRegistration(readAddressPolicy(config)),
);

/** The EPOS of an account: its registrations and what waits for it. */
@Module({
  imports: [AddressPolicyModule],
  controllers: [EposController],
  providers: [REGISTRATION],
  exports: [EposRegistration],
})
export class EposModule {}
