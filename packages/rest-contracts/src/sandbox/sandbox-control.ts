import type { Operation } from '../operation/operation.js';
import {
  listSandboxAccounts,
  provisionSandboxAccount,
  listMachines,
  readMachine,
  breakMachine,
} from './sandbox-accounts.js';
import {
  listAcquirerRules,
  replaceAcquirerRules,
  clearAcquirerRules,
  listAcquirerBookings,
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
  listEposCalls,
  listEposFaults,
  replaceEposFaults,
  clearEposFaults,
} from './sandbox-epos.js';
import { CONTROL } from './sandbox-control-shapes.js';

export const resetSandbox = {
  ...CONTROL,
  id: 'resetSandbox',
  method: 'POST',
  path: '/reset',
  summary: 'Clear all rules and faults, and begin the evening anew at every restaurant',
  description: "The acquirer's books stay: what was booked was booked.",
  returns: null,
  refusals: [],
} as const satisfies Operation;

/** Every operation of the sandbox's control port. It requires no key, so it listens on loopback only. */
export const SANDBOX_CONTROL_OPERATIONS = [
  listAcquirerRules,
  replaceAcquirerRules,
  clearAcquirerRules,
  listAcquirerBookings,
  listSandboxAccounts,
  provisionSandboxAccount,
  listMachines,
  readMachine,
  breakMachine,
  listEposLocks,
  takeEposLock,
  dropEposLock,
  listEposPayments,
  listEposSessions,
  listEposOrders,
  listEposBookings,
  listEposEvents,
  listEposCalls,
  listEposFaults,
  replaceEposFaults,
  clearEposFaults,
  resetSandbox,
] as const;
