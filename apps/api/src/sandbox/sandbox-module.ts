import { Module } from '@nestjs/common';
import { SandboxController } from './sandbox-controller.js';

/** The clock of a sandbox. */
@Module({ controllers: [SandboxController] })
export class SandboxModule {}
