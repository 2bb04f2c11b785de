import { Module } from '@nestjs/common';
import { SetupsModule } from '../setups/setups-module.js';
import { VaultRequestChecks } from './vault-request-checks.js';

/** The checks of every request: key, rate limits, attestation, stored answers, members. */
@Module({ imports: [SetupsModule], providers: [VaultRequestChecks] })
export class RequestChecksModule {}
