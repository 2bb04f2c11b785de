import { z } from 'zod';
import type { DeepReadonly, Operation } from '../operation/operation.js';
import { CONTROL, ControlName } from './sandbox-control-shapes.js';
import { Moment } from '../shapes/shapes.js';
import { BillPart, BillView, Gratuity, ReceiptView, TablePaymentView } from './sandbox-machine-screen.js';

const NewGuestPayment = z
  .object({ part: BillPart, gratuity: Gratuity })
  .meta({ id: 'NewGuestPayment', examples: [{ part: { mode: 'full' }, gratuity: 0 }] });

const TableLink = z.object({
  path: z.string().meta({ description: 'The address of the page, without its origin.' }),
  expiresAt: Moment,
});

const GuestScreenView = z.object({
  ...{ tradingName: z.string(), tableName: z.string() },
  bill: BillView.optional().meta({ description: 'Absent while the EPOS does not answer.' }),
  payment: TablePaymentView.optional().meta({ description: 'The payment of this device.' }),
});
/** All that the page of a payer at the table shows. */
export type GuestScreenView = DeepReadonly<z.output<typeof GuestScreenView>>;

const ofTable = {
  ...CONTROL,
  params: z.object({ token: z.string() }),
  refusals: ['path_unknown', 'journey_busy', 'terminal_unavailable'],
} as const;

export const createTableLink = {
  ...CONTROL,
  id: 'createTableLink',
  method: 'POST',
  path: '/machines/{accountId}/{tid}/table-links',
  summary: 'Create the address at which the payers of a table pay on their own devices',
  description: 'Its token names the table and one device, and is valid for two hours.',
  params: z.object({ accountId: z.string(), tid: z.string() }),
  body: z
    .object({ sessionId: ControlName })
    .meta({ examples: [{ sessionId: '0b9f3a52-8a65-4a8c-9f0e-0d1c5f1a2b3c' }] }),
  returns: TableLink,
  refusals: ['path_unknown', 'terminal_not_found', 'terminal_unavailable', 'journey_busy'],
} as const satisfies Operation;

export const readGuestScreen = {
  ...ofTable,
  id: 'readGuestScreen',
  method: 'GET',
  path: '/guests/{token}/screen',
  summary: 'Read the bill of a table for a payer',
  description: 'The address ending in `/events` sends the same as server-sent events, and again after each change.',
  returns: GuestScreenView,
} as const satisfies Operation;

export const startGuestPayment = {
  ...ofTable,
  id: 'startGuestPayment',
  method: 'POST',
  path: '/guests/{token}/payments',
  summary: 'Pay a part of the bill by a payment link',
  description: 'While another device pays the bill, the payment waits for its turn.',
  body: NewGuestPayment,
  returns: GuestScreenView,
} as const satisfies Operation;

export const cancelGuestPayment = {
  ...ofTable,
  id: 'cancelGuestPayment',
  method: 'POST',
  path: '/guests/{token}/cancel',
  summary: 'Cancel the payment of this device',
  returns: GuestScreenView,
} as const satisfies Operation;

export const readGuestReceipt = {
  ...ofTable,
  id: 'readGuestReceipt',
  method: 'GET',
  path: '/guests/{token}/receipt',
  summary: 'Print the receipt of the payment of this device',
  returns: ReceiptView,
} as const satisfies Operation;

/** The operations of the page of payers at the table. */
export const GUEST_SCREEN_OPERATIONS = [
  createTableLink,
  readGuestScreen,
  startGuestPayment,
  cancelGuestPayment,
  readGuestReceipt,
] as const;
