// Simulated devices at a table: a card machine that a person operates on screen, and the phone of a payer.
export { DeviceCallError } from './device-client.js';
export { MachineRefusal, OperatedMachine } from './operated-machine.js';
export { GuestDevice } from './guest-device.js';
export { readTableToken, signTableToken, type TableTokenContent } from './table-token.js';
