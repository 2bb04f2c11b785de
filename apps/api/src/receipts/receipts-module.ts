import { Module } from '@nestjs/common';
import { ReceiptsController } from './receipts-controller.js';

/** Receipts of payments. */
@Module({ controllers: [ReceiptsController] })
export class ReceiptsModule {}
