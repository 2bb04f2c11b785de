import { Module } from '@nestjs/common';
import { TerminalSessionsController } from './terminal-sessions-controller.js';
import { TerminalsController } from './terminals-controller.js';

/** Card machines and their sessions. */
@Module({ controllers: [TerminalsController, TerminalSessionsController] })
export class TerminalsModule {}
