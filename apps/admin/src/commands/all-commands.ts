import type { CommandDefinition } from '../command/command-definition.js';
import { ACCOUNT_COMMANDS } from './account-commands.js';
import { DELIVERY_COMMANDS } from './delivery-commands.js';
import { DOCTOR_COMMAND } from './doctor-command.js';
import { KEY_COMMANDS } from './key-commands.js';
import { LOCATION_COMMANDS } from './location-commands.js';
import { MIGRATE_COMMAND } from './migrate-command.js';
import { MONEY_COMMANDS } from './money-commands.js';
import { PORTAL_USER_COMMANDS } from './portal-user-commands.js';
import { SETTINGS_COMMANDS } from './settings-commands.js';
import { TERMINAL_COMMANDS } from './terminal-commands.js';
import { UPKEEP_COMMANDS } from './upkeep-commands.js';

/** Every command, in the order of the reference. */
export const COMMANDS: readonly CommandDefinition[] = [
  MIGRATE_COMMAND,
  ...ACCOUNT_COMMANDS,
  ...LOCATION_COMMANDS,
  ...TERMINAL_COMMANDS,
  ...KEY_COMMANDS,
  ...PORTAL_USER_COMMANDS,
  ...SETTINGS_COMMANDS,
  ...MONEY_COMMANDS,
  ...DELIVERY_COMMANDS,
  ...UPKEEP_COMMANDS,
  DOCTOR_COMMAND,
];
