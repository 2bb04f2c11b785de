import { Module } from '@nestjs/common';
import { AlarmsController } from './alarms-controller.js';

/** Alarms that a person must look at. */
@Module({ controllers: [AlarmsController] })
export class AlarmsModule {}
