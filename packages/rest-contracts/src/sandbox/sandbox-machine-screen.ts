import { z } from 'zod';
import type { DeepReadonly, Operation } from '../operation/operation.js';
import { CONTROL, ControlName } from './sandbox-control-shapes.js';
import { Moment, Money } from '../shapes/shapes.js';

const AMOUNT_MAX = 10_000_000;
const ITEMS_MAX = 200;
const PEOPLE_MAX = 32;

/** The cards that a person can present to a machine on screen. */
const WalletCard = z.enum(['contactless', 'chip', 'signature', 'declined']);
const CardTrouble = z.enum(['PresentOnlyOneCard', 'CardUnsupported', 'InsertCard', 'ReEnterCard', 'CardError']);

const MachineTap = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('presentCard'), card: WalletCard }),
    z.object({ kind: z.literal('causeTrouble'), trouble: CardTrouble }),
    z.object({ kind: z.literal('enterPin') }),
    z.object({ kind: z.literal('removeCard') }),
    z.object({ kind: z.literal('cancel') }),
  ])
  .meta({ id: 'MachineTap', examples: [{ kind: 'presentCard', card: 'contactless' }] });

const MachineSwitches = z
  .object({
    isUnplugged: z.boolean().meta({ description: 'Its connection to the gateway is cut.' }),
    isSlow: z.boolean().meta({ description: 'It confirms and reports four seconds late.' }),
    isBusy: z.boolean().meta({ description: 'It is in use for something else.' }),
    losesReply: z.boolean().meta({
      description: 'The connection breaks for some seconds between the next approval and its report.',
    }),
  })
  .meta({
    id: 'MachineSwitches',
    examples: [{ isUnplugged: true, isSlow: false, isBusy: false, losesReply: false }],
  });

export type MachineSwitches = DeepReadonly<z.output<typeof MachineSwitches>>;

/** The part of a bill that a person pays, as the contract of devices has it. */
export const BillPart = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('full') }),
  z.object({ mode: z.literal('equal'), people: z.int().min(1).max(PEOPLE_MAX) }),
  z.object({ mode: z.literal('custom'), amount: z.int().min(1).max(AMOUNT_MAX) }),
  z.object({ mode: z.literal('items'), itemIds: z.array(ControlName).min(1).max(ITEMS_MAX) }),
]);
export type BillPart = DeepReadonly<z.output<typeof BillPart>>;

export const Gratuity = z.int().min(0).max(AMOUNT_MAX).default(0);

const NewTablePayment = z.object({ sessionId: ControlName, part: BillPart, gratuity: Gratuity }).meta({
  id: 'NewTablePayment',
  examples: [{ sessionId: '0b9f3a52-8a65-4a8c-9f0e-0d1c5f1a2b3c', part: { mode: 'equal', people: 2 }, gratuity: 150 }],
});

const NewCounterSale = z
  .object({
    amount: z.int().min(1).max(AMOUNT_MAX).meta({ description: 'Minor units.' }),
    kind: z.enum(['sale', 'authorisation', 'refund']).default('sale'),
  })
  .meta({ id: 'NewCounterSale', examples: [{ amount: 1250, kind: 'sale' }] });

const SignatureAnswer = z.object({ isAccepted: z.boolean() }).meta({ examples: [{ isAccepted: true }] });

/** The payment of a table by a device, from the press of the button to the bill. */
export const TablePaymentView = z.object({
  paymentId: z.string(),
  sessionId: z.string(),
  state: z.enum([
    'waiting',
    'started',
    'approved',
    'recording',
    'recorded',
    'givingBack',
    'givenBack',
    'ended',
    'refused',
    'needsOperator',
  ]),
  currency: z.string(),
  baseAmount: z.int(),
  gratuityAmount: z.int(),
  detail: z.string(),
  outstanding: z.int().optional().meta({ description: 'What is left of the bill.' }),
  terminalSessionStatus: z.string().optional(),
  paymentLink: z.string().optional(),
});
export type TablePaymentView = DeepReadonly<z.output<typeof TablePaymentView>>;

const ServiceSession = z.object({
  sessionId: z.string(),
  status: z.string(),
  statuses: z.array(z.object({ status: z.string(), createdAt: Moment })),
  notifications: z.array(z.object({ notification: z.string(), createdAt: Moment })),
});

const MachineScreenView = z.object({
  ...{ tid: z.string(), name: z.string(), tradingName: z.string(), currency: z.string() },
  isConnected: z.boolean(),
  switches: MachineSwitches,
  session: z
    .object({
      sessionId: z.string(),
      sessionType: z.string(),
      total: Money,
      stage: z.enum(['confirmation', 'card', 'pin', 'acquirer', 'removal', 'signature']),
      shows: z.string().optional(),
    })
    .optional(),
  lastOutcome: z
    .object({
      sessionId: z.string(),
      total: Money,
      outcome: z.enum(['approved', 'declined', 'canceled', 'unable', 'signatureRejected', 'stopped']),
      maskedNumber: z.string().optional(),
      authCode: z.string().optional(),
    })
    .optional(),
  serviceSession: ServiceSession.optional().meta({ description: 'The same session as the payments API returns it.' }),
  payment: TablePaymentView.optional(),
});
/** All that the page of a machine shows. */
export type MachineScreenView = DeepReadonly<z.output<typeof MachineScreenView>>;

const TableView = z.object({
  sessionId: z.string(),
  name: z.string(),
  tableName: z.string().optional(),
  covers: z.int().optional(),
  waiter: z.string().optional(),
});
export type TableView = DeepReadonly<z.output<typeof TableView>>;

/** A bill, with what is paid of each item. */
export const BillView = z.object({
  sessionId: z.string(),
  currency: z.string(),
  ...{ total: z.int(), paid: z.int(), outstanding: z.int() },
  serviceCharge: z.int().optional(),
  items: z.array(
    z.object({ id: z.string(), name: z.string(), quantity: z.int(), amount: z.int(), extras: z.array(z.string()) }),
  ),
});
export type BillView = DeepReadonly<z.output<typeof BillView>>;

/** The lines of a printed receipt. */
export const ReceiptView = z.object({
  lines: z.array(
    z.object({
      kind: z.enum(['text', 'rule', 'space']),
      text: z.string().optional(),
      isLarge: z.boolean().optional(),
      isBold: z.boolean().optional(),
      align: z.enum(['left', 'center', 'right']).optional(),
    }),
  ),
});
export type ReceiptView = DeepReadonly<z.output<typeof ReceiptView>>;

const ofMachine = {
  ...CONTROL,
  params: z.object({ accountId: z.string(), tid: z.string() }),
  refusals: ['path_unknown', 'terminal_not_found', 'terminal_unavailable'],
} as const;
const MACHINE_PATH = '/machines/{accountId}/{tid}';
const TABLE_REFUSALS = ['path_unknown', 'terminal_not_found', 'terminal_unavailable', 'journey_busy'] as const;

export const readMachineScreen = {
  ...ofMachine,
  id: 'readMachineScreen',
  method: 'GET',
  path: `${MACHINE_PATH}/screen`,
  summary: 'Read what a machine displays',
  description: 'The address ending in `/events` sends the same as server-sent events, and again after each change.',
  returns: MachineScreenView,
} as const satisfies Operation;

export const tapMachine = {
  ...ofMachine,
  id: 'tapMachine',
  method: 'POST',
  path: `${MACHINE_PATH}/taps`,
  summary: 'Do what a person does at the machine',
  description: 'Possible while a page of the machine is open. Refused when the machine waits for something else.',
  body: MachineTap,
  returns: MachineScreenView,
} as const satisfies Operation;

export const setMachineSwitches = {
  ...ofMachine,
  id: 'setMachineSwitches',
  method: 'PUT',
  path: `${MACHINE_PATH}/switches`,
  summary: 'Set the fault switches of a machine',
  body: MachineSwitches,
  returns: MachineScreenView,
} as const satisfies Operation;

export const listMachineTables = {
  ...ofMachine,
  id: 'listMachineTables',
  method: 'GET',
  path: `${MACHINE_PATH}/tables`,
  summary: 'List the parties that can pay now, as the machine reads them from the gateway',
  returns: z.object({
    tables: z.array(TableView),
    unreadableCount: z.int().min(0).describe('How many more bills the EPOS has that cannot be shown.'),
  }),
} as const satisfies Operation;

export const readMachineBill = {
  ...ofMachine,
  id: 'readMachineBill',
  method: 'GET',
  path: `${MACHINE_PATH}/tables/{sessionId}`,
  params: z.object({ accountId: z.string(), tid: z.string(), sessionId: z.string() }),
  summary: 'Read a bill, as the machine reads it from the gateway',
  returns: BillView,
} as const satisfies Operation;

export const startTablePayment = {
  ...ofMachine,
  id: 'startTablePayment',
  method: 'POST',
  path: `${MACHINE_PATH}/payments`,
  summary: 'Take a payment for a table on the machine',
  description: 'While another device pays the bill, the payment waits for its turn.',
  body: NewTablePayment,
  returns: MachineScreenView,
  refusals: TABLE_REFUSALS,
} as const satisfies Operation;

export const startCounterSale = {
  ...ofMachine,
  id: 'startCounterSale',
  method: 'POST',
  path: `${MACHINE_PATH}/sales`,
  summary: 'Start a sale or a refund on the machine by the payments API, as an integrator does',
  body: NewCounterSale,
  returns: MachineScreenView,
  refusals: TABLE_REFUSALS,
} as const satisfies Operation;

export const cancelMachinePayment = {
  ...ofMachine,
  id: 'cancelMachinePayment',
  method: 'POST',
  path: `${MACHINE_PATH}/cancel`,
  summary: 'Cancel the payment on the machine from the device or the counter that started it',
  returns: MachineScreenView,
  refusals: TABLE_REFUSALS,
} as const satisfies Operation;

export const answerMachineSignature = {
  ...ofMachine,
  id: 'answerMachineSignature',
  method: 'POST',
  path: `${MACHINE_PATH}/signature`,
  summary: 'Accept or reject the signature on the slip',
  body: SignatureAnswer,
  returns: MachineScreenView,
  refusals: TABLE_REFUSALS,
} as const satisfies Operation;

export const readMachineReceipt = {
  ...ofMachine,
  id: 'readMachineReceipt',
  method: 'GET',
  path: `${MACHINE_PATH}/receipt`,
  summary: "Print the payer's receipt of the last payment on the machine",
  returns: ReceiptView,
  refusals: TABLE_REFUSALS,
} as const satisfies Operation;

/** The operations of the pages of card machines. */
export const MACHINE_SCREEN_OPERATIONS = [
  readMachineScreen,
  tapMachine,
  setMachineSwitches,
  listMachineTables,
  readMachineBill,
  startTablePayment,
  startCounterSale,
  cancelMachinePayment,
  answerMachineSignature,
  readMachineReceipt,
] as const;
