import { Module } from '@nestjs/common';
import { OrderPlacementsController } from './order-placements-controller.js';

/** Orders that are paid in advance. */
@Module({ controllers: [OrderPlacementsController] })
export class OrdersModule {}
