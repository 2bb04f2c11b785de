import { Module } from '@nestjs/common';
import { ReconciliationController } from './reconciliation-controller.js';

/** The comparison of the books with those of the acquirer. */
@Module({ controllers: [ReconciliationController] })
export class ReconciliationModule {}
