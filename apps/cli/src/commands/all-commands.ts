import type { CommandDefinition } from '../command/command-definition.js';
import { apiCommand } from './api-command.js';
import { completionCommand } from './completion-command.js';
import { DELIVERY_COMMANDS } from './delivery-commands.js';
import { doctorCommand } from './doctor-command.js';
import { listenCommand } from './listen-command.js';
import { logCommand } from './log-command.js';
import { MACHINE_COMMANDS } from './machine-commands.js';
import { SANDBOX_COMMANDS } from './sandbox-commands.js';
import { TESTER_COMMANDS } from './tester-commands.js';
import { triggerCommand } from './trigger-command.js';
import { verifyCommand } from './webhooks-command.js';

/** Every command, in the order of `--help`. */
export const COMMANDS: readonly CommandDefinition[] = [
  listenCommand,
  triggerCommand,
  ...DELIVERY_COMMANDS,
  apiCommand,
  ...MACHINE_COMMANDS,
  ...SANDBOX_COMMANDS,
  ...TESTER_COMMANDS,
  logCommand,
  verifyCommand,
  doctorCommand,
  completionCommand,
];
