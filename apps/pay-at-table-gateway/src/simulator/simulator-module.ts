import { Module } from '@nestjs/common';
import { SimulatorController } from './simulator-controller.js';

/** The device simulator. */
@Module({ controllers: [SimulatorController] })
export class SimulatorModule {}
