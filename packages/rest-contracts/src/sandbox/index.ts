// REST operations that control the sandbox: accounts, clock, acquirer, EPOS, machines and their screens.
export { readSandboxLinks, resetSandbox, SANDBOX_CONTROL_OPERATIONS } from './sandbox-control.js';
export {
  breakMachine,
  deleteSandboxAccount,
  listMachines,
  listSandboxAccounts,
  type Machine,
  provisionSandboxAccount,
  readMachine,
} from './sandbox-accounts.js';
export { advanceClock } from './sandbox-clock.js';
export {
  clearAcquirerRules,
  limitAcquirerCapabilities,
  listAcquirerBookings,
  listAcquirerRules,
  readAcquirerCapabilities,
  replaceAcquirerRules,
  resetAcquirerCapabilities,
  RULE_EFFECTS,
  RULED_CALLS,
} from './sandbox-acquirer.js';
export { AcquirerSwitches, readAcquirerSwitches, setAcquirerSwitches } from './sandbox-acquirer-switches.js';
export {
  clearEposFaults,
  dropEposLock,
  EPOS_EFFECTS,
  EPOS_TRANSPORTS,
  type EposMethod,
  listEposBookings,
  listEposEvents,
  listEposFaults,
  listEposLocks,
  listEposOrders,
  listEposPayments,
  listEposSessions,
  listReferenceEposCalls,
  replaceEposFaults,
  takeEposLock,
} from './sandbox-epos.js';
export { putSandboxEpos, readSandboxEpos } from './sandbox-epos-presence.js';
export {
  addEposCourse,
  type EposScreenView,
  EposSwitches,
  type PartyView,
  readEposScreen,
  setEposSwitches,
} from './sandbox-epos-screen.js';
export {
  answerMachineSignature,
  BillPart,
  BillView,
  cancelMachinePayment,
  listMachineTables,
  type MachineScreenView,
  type MachineSwitches,
  readMachineBill,
  readMachineReceipt,
  readMachineScreen,
  ReceiptView,
  setMachineSwitches,
  startCounterSale,
  startTablePayment,
  TablePaymentView,
  type TableView,
  tapMachine,
} from './sandbox-machine-screen.js';
export {
  cancelGuestPayment,
  createTableLink,
  type GuestScreenView,
  readGuestReceipt,
  readGuestScreen,
  startGuestPayment,
} from './sandbox-guest-screen.js';
export { simulateDevice, SIMULATOR_OPERATIONS, SimulatorError } from './simulator.js';
