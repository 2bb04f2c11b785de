import { Module } from '@nestjs/common';
import { TransactionsController } from './transactions-controller.js';

/** The listing of transactions. */
@Module({ controllers: [TransactionsController] })
export class TransactionsModule {}
