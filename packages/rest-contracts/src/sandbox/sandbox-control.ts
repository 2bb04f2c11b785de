import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import {
  listSandboxAccounts,
  provisionSandboxAccount,
  deleteSandboxAccount,
  listMachines,
  readMachine,
  breakMachine,
} from './sandbox-accounts.js';
import {
  listAcquirerRules,
  replaceAcquirerRules,
  clearAcquirerRules,
  limitAcquirerCapabilities,
  listAcquirerBookings,
  readAcquirerCapabilities,
  resetAcquirerCapabilities,
} from './sandbox-acquirer.js';
import {
  listEposLocks,
  takeEposLock,
  dropEposLock,
  listEposPayments,
  listEposSessions,
  listEposOrders,
  listEposBookings,
  listEposEvents,
  listReferenceEposCalls,
  listEposFaults,
  replaceEposFaults,
  clearEposFaults,
} from './sandbox-epos.js';
import { readAcquirerSwitches, setAcquirerSwitches } from './sandbox-acquirer-switches.js';
import { EPOS_SCREEN_OPERATIONS } from './sandbox-epos-screen.js';
import { GUEST_SCREEN_OPERATIONS } from './sandbox-guest-screen.js';
import { MACHINE_SCREEN_OPERATIONS } from './sandbox-machine-screen.js';
import { CONTROL } from './sandbox-control-shapes.js';

export const resetSandbox = {
  ...CONTROL,
  id: 'resetSandbox',
  method: 'POST',
  path: '/reset',
  summary: 'Clear all rules and faults, and reset every restaurant to its initial state',
  description: "The acquirer's bookings are kept.",
  returns: null,
  refusals: [],
} as const satisfies Operation;

export const readSandboxLinks = {
  ...CONTROL,
  id: 'readSandboxLinks',
  method: 'GET',
  path: '/links',
  summary: 'Read the addresses of pages of other apps',
  returns: z.object({
    portal: z.string().optional(),
    reference: z.string().optional().meta({ description: 'The reference of the API, at the portal.' }),
  }),
  refusals: [],
} as const satisfies Operation;

/** Every operation of the sandbox's control port. It requires no key, so it listens on loopback only. */
export const SANDBOX_CONTROL_OPERATIONS = [
  listAcquirerRules,
  replaceAcquirerRules,
  clearAcquirerRules,
  readAcquirerCapabilities,
  limitAcquirerCapabilities,
  resetAcquirerCapabilities,
  listAcquirerBookings,
  readAcquirerSwitches,
  setAcquirerSwitches,
  listSandboxAccounts,
  provisionSandboxAccount,
  deleteSandboxAccount,
  listMachines,
  readMachine,
  breakMachine,
  ...MACHINE_SCREEN_OPERATIONS,
  listEposLocks,
  takeEposLock,
  dropEposLock,
  listEposPayments,
  listEposSessions,
  listEposOrders,
  listEposBookings,
  listEposEvents,
  listReferenceEposCalls,
  listEposFaults,
  replaceEposFaults,
  clearEposFaults,
  ...EPOS_SCREEN_OPERATIONS,
  ...GUEST_SCREEN_OPERATIONS,
  resetSandbox,
  readSandboxLinks,
] as const;
