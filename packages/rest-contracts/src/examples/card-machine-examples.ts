import { gbp, intent } from './example-answers.js';
import { IDS } from './example-ids.js';
import { accept, type OperationExample, refuse } from './operation-example.js';

const machine = (id: string, tid: string, status = 'Available') => ({
  ...{ id, properties: { tid }, status },
  updatedAt: '2026-03-01T12:00:00.000Z',
});

const NO_SESSION = {
  summary: 'No session of this account and environment has the id',
  reason: 'terminal_session_not_found',
  detail: 'there is no such terminal session',
} as const;
const NO_TERMINAL = {
  summary: 'No card machine of this account and environment has the id',
  reason: 'terminal_not_found',
  detail: 'there is no such terminal',
} as const;

const sale = (paymentIntentId: string) => ({ sessionType: 'Sale', sale: { paymentIntentId } });

interface SessionExample {
  readonly id: string;
  readonly terminalId: string;
  readonly paymentIntentId: string;
}

function session({ id, terminalId, paymentIntentId }: SessionExample, status: string, changes = {}) {
  return {
    ...{ id, terminalId, status, sessionType: 'Sale', paymentIntentId, details: sale(paymentIntentId) },
    createdAt: '2026-03-01T12:00:00.000Z',
    updatedAt: '2026-03-01T12:00:00.000Z',
    expireAt: '2026-03-01T12:00:10.000Z',
    notificationEvents: [],
    statusEvents: [{ status: 'InitiateRequested', createdAt: '2026-03-01T12:00:00.000Z', debugMessage: '' }],
    ...changes,
  };
}

function newIntent(id: string, reference: string, name: string): OperationExample {
  return accept(`createPaymentIntent:${name}`, 'A payment for a card machine', {
    body: { amount: gbp(1250), reference, generateRemoteToken: false },
    answer: intent({ id, reference }),
  });
}

const SALE = { id: IDS.sale, terminalId: IDS.terminal, paymentIntentId: IDS.onMachine };
const SIGNED = { id: IDS.signature, terminalId: IDS.signatureTerminal, paymentIntentId: IDS.signed };
const STOPPED = { id: IDS.stop, terminalId: IDS.waitingTerminal, paymentIntentId: IDS.stopped };

export const CARD_MACHINE_EXAMPLES: readonly OperationExample[] = [
  accept('listTerminals', 'All card machines of the account', {
    answer: [
      machine(IDS.terminal, '90000001'),
      machine(IDS.signatureTerminal, '90000003'),
      machine(IDS.waitingTerminal, '90000006'),
      machine(IDS.busyTerminal, '90000007', 'InUse'),
    ],
  }),
  refuse(
    'listTerminals',
    { query: { statuses: 'Lost' } },
    {
      summary: 'A status that does not exist',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { 'statuses[0]': ['Must be one of Available, Offline, InUse.'] },
    },
  ),
  accept('readTerminal', 'A card machine that is free', {
    params: { terminalId: IDS.terminal },
    answer: machine(IDS.terminal, '90000001'),
  }),
  refuse('readTerminal', { params: { terminalId: IDS.unknownTerminal } }, NO_TERMINAL),
  newIntent(IDS.onMachine, 'table 11', 'onMachine'),
  refuse(
    'createTerminalSession',
    { body: { terminalId: IDS.busyTerminal, details: sale(IDS.onMachine) } },
    {
      summary: 'The machine runs another session, or is offline',
      reason: 'terminal_unavailable',
      detail: 'the terminal is InUse',
    },
  ),
  accept('createTerminalSession', 'A sale on a card machine', {
    body: { terminalId: IDS.terminal, details: sale(IDS.onMachine) },
    answer: session(SALE, 'InitiateRequested'),
  }),
  accept('readTerminalSession', 'The sale, once the card is taken', {
    params: { terminalSessionId: IDS.sale },
    answer: session(SALE, 'Captured', {
      notificationEvents: [{ notificationType: 'PresentCard', createdAt: '2026-03-01T12:00:01.200Z' }],
      paymentDetails: { cardScheme: 'VISA', maskedPan: '************1014', authCode: '204711' },
    }),
  }),
  refuse('readTerminalSession', { params: { terminalSessionId: IDS.unknownSession } }, NO_SESSION),
  refuse(
    'cancelTerminalSession',
    { params: { terminalSessionId: IDS.sale } },
    {
      summary: 'The session is over, or a card was presented',
      reason: 'terminal_session_not_cancelable',
      detail: 'a card is in the machine',
    },
  ),
  refuse(
    'decideSignature',
    { params: { terminalSessionId: IDS.sale }, body: { accepted: true } },
    {
      summary: 'The session does not wait for a signature',
      reason: 'signature_not_awaited',
      detail: 'the session is Captured',
    },
  ),
  newIntent(IDS.stopped, 'table 12', 'stopped'),
  accept('createTerminalSession:stopped', 'A sale that is stopped later', {
    body: { terminalId: IDS.waitingTerminal, details: sale(IDS.stopped) },
    answer: session(STOPPED, 'InitiateRequested'),
  }),
  accept('cancelTerminalSession', 'The machine is asked to stop', {
    params: { terminalSessionId: IDS.stop },
    answer: session(STOPPED, 'CancelRequested'),
  }),
  newIntent(IDS.signed, 'table 13', 'signed'),
  accept('createTerminalSession:signed', 'A sale that needs a signature', {
    body: { terminalId: IDS.signatureTerminal, details: sale(IDS.signed) },
    answer: session(SIGNED, 'InitiateRequested'),
  }),
  accept('readTerminalSession:signed', 'The sale waits for the decision about the signature', {
    params: { terminalSessionId: IDS.signature },
    answer: session(SIGNED, 'SignatureVerificationRequired'),
  }),
  accept('decideSignature', 'The signature is accepted, and the payment continues', {
    params: { terminalSessionId: IDS.signature },
    body: { accepted: true },
    answer: session(SIGNED, 'Captured', {
      statusEvents: [
        { status: 'SignatureVerificationAccepted', createdAt: '2026-03-01T12:00:20.000Z', debugMessage: '' },
      ],
    }),
  }),
  accept('listTerminalSessions', 'The sessions of the machine that took the sale', {
    params: { terminalId: IDS.terminal },
    answer: {
      data: [
        {
          ...{ id: IDS.sale, status: 'Captured', sessionType: 'Sale', paymentIntentId: IDS.onMachine },
          amount: gbp(1250),
          createdAt: '2026-03-01T12:00:00.000Z',
          updatedAt: '2026-03-01T12:00:04.000Z',
        },
      ],
      before: null,
      after: null,
    },
  }),
  refuse('listTerminalSessions', { params: { terminalId: IDS.unknownTerminal } }, NO_TERMINAL),
  accept('resetTerminalMachine', 'Another machine may serve the TID', {
    params: { terminalId: IDS.terminal },
    body: { note: 'the machine was replaced' },
    answer: machine(IDS.terminal, '90000001'),
  }),
  refuse(
    'resetTerminalMachine',
    { params: { terminalId: IDS.unknownTerminal }, body: { note: 'the machine was replaced' } },
    NO_TERMINAL,
  ),
];
