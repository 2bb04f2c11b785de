import { Module } from '@nestjs/common';
import { PayAtTableController } from './pay-at-table-controller.js';

/** Open payments and leases at the tables. */
@Module({ controllers: [PayAtTableController] })
export class PayAtTableModule {}
