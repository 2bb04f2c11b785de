import { Module } from '@nestjs/common';
import { ClientPaymentsController } from './client-payments-controller.js';

/** Payments with the card or wallet of a payer. */
@Module({ controllers: [ClientPaymentsController] })
export class ClientPaymentsModule {}
