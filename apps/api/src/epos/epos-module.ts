import { Module } from '@nestjs/common';
import { EposRegistration } from '@pos/payments/accounts';
import { CONFIG, provide } from '@pos/service-kit/nest';
import { readAddressPolicy } from '../config/config.js';
import { AddressPolicyModule } from '../config/address-policy-module.js';
import { EposActivityController } from './epos-activity-controller.js';
import { EposController } from './epos-controller.js';
import { TesterRunsController } from './tester-runs-controller.js';

const REGISTRATION = provide(
  EposRegistration,
  { config: CONFIG },
  ({ config }) => new EposRegistration(readAddressPolicy(config)),
);

/** The EPOS of an account: its registrations and what waits for it. */
@Module({
  imports: [AddressPolicyModule],
  controllers: [EposController, EposActivityController, TesterRunsController],
  providers: [REGISTRATION],
  exports: [EposRegistration],
})
export class EposModule {}
