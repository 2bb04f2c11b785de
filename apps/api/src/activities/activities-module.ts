import { Module } from '@nestjs/common';
import { ActivitiesController } from './activities-controller.js';

/** The timelines of payments, and the log of requests. */
@Module({ controllers: [ActivitiesController] })
export class ActivitiesModule {}
