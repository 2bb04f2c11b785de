import { Module } from '@nestjs/common';
import { provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { SimulatedLocks } from './simulated-locks.js';
import { SimulatorController } from './simulator-controller.js';

/** The device simulator. */
@Module({
  controllers: [SimulatorController],
  providers: [provide(SimulatedLocks, { database: Database }, ({ database }) => new SimulatedLocks(database))],
})
export class SimulatorModule {}
