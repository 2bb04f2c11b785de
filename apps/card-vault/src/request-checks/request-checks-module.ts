import { Module } from '@nestjs/common';
import { ACTIVITIES, RequestActivityRecorder } from '@pos/nest-modules';
import { provide } from '@pos/service-kit/nest';
import { SetupsModule } from '../setups/setups-module.js';
import { VaultRequestChecks } from './vault-request-checks.js';

const RECORDER = provide(
  RequestActivityRecorder,
  { activities: ACTIVITIES },
  ({ activities }) => new RequestActivityRecorder(activities),
);

/** The checks of every request: key, rate limits, attestation, stored answers, members. */
@Module({ imports: [SetupsModule], providers: [VaultRequestChecks, RECORDER] })
export class RequestChecksModule {}
