import { Module } from '@nestjs/common';
import { BookingsModule } from '../epos/bookings/bookings-module.js';
import { OrderPlacementsController } from './order-placements-controller.js';

/** Orders that are paid in advance. */
@Module({ imports: [BookingsModule], controllers: [OrderPlacementsController] })
export class OrdersModule {}
