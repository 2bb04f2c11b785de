import { Module } from '@nestjs/common';
import { EposModule } from '../epos/epos-module.js';
import { AddressPolicyModule } from '../config/address-policy-module.js';
import { ApiRequestChecks } from './api-request-checks.js';

/** The checks of every request: key, rate limits, stored answers, members. */
@Module({ imports: [AddressPolicyModule, EposModule], providers: [ApiRequestChecks] })
export class RequestChecksModule {}
