import { Module } from '@nestjs/common';
import { CustomersController } from './customers-controller.js';

/** Customers and their secrets. */
@Module({ controllers: [CustomersController] })
export class CustomersModule {}
