import { Module } from '@nestjs/common';
import { ACTIVITIES, PortalAuthenticator, RequestActivityRecorder } from '@pos/nest-modules';
import { provide } from '@pos/service-kit/nest';
import { EposModule } from '../epos/epos-module.js';
import { AddressPolicyModule } from '../config/address-policy-module.js';
import { ApiRequestChecks } from './api-request-checks.js';

const RECORDER = provide(
  RequestActivityRecorder,
  { activities: ACTIVITIES },
  ({ activities }) => new RequestActivityRecorder(activities),
);

/** The checks of every request: key, rate limits, stored answers, members. */
@Module({
  imports: [AddressPolicyModule, EposModule],
  providers: [ApiRequestChecks, PortalAuthenticator, RECORDER],
})
export class RequestChecksModule {}
