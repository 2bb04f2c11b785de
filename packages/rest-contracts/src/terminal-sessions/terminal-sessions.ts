import { AMOUNT_MAX } from '@pos/core/money';
import { RECEIPT_ALIGNS, RECEIPT_LINE_TYPES, RECEIPT_TEXT_SIZES } from '@pos/core/receipts';
import { SESSION_STATUSES, SESSION_TYPES } from '@pos/core/terminals';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { NotificationEvent, StatusEvent } from '../intent-parts/payment-intent-parts.js';
import {
  applyInSequence,
  isAbsent,
  getMember,
  type Members,
  setMember,
  RESHAPES,
  type ReshapedBody,
} from '../shapes/reshape.js';
import { Moment, Money, PayableInput, text } from '../shapes/shapes.js';

const Receipt = z
  .object({
    lines: z
      .array(
        z.object({
          lineType: z
            .enum(RECEIPT_LINE_TYPES)
            .describe('What the line is. A line with text or a logo has the member for it; the others have none.'),
          text: z
            .object({
              value: z.string().describe('The words to print.'),
              size: z.enum(RECEIPT_TEXT_SIZES).describe('Size of the letters.'),
              align: z.enum(RECEIPT_ALIGNS).describe('Where the words are placed on the line.'),
              emphasisBold: z.boolean().describe('True: print in bold.'),
            })
            .optional()
            .describe('Present when `lineType` is `Text`.'),
          imageLogo: z
            .object({
              value: z.string().describe('The picture to print.'),
              align: z.enum(RECEIPT_ALIGNS).describe('Where the picture is placed.'),
            })
            .optional()
            .describe('Present when `lineType` is `LogoImage`.'),
        }),
      )
      .describe('Lines from top to bottom.'),
  })
  .meta({ id: 'Receipt' });

export const SessionDetails = z
  .object({
    sessionType: z
      .enum(SESSION_TYPES)
      .describe('`Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one.'),
    sale: z
      .object({ paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`) that is paid.') })
      .optional()
      .describe('Present for a `Sale`.'),
    matchedRefund: z
      .object({
        paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`) that is refunded.'),
        amount: Money.describe('What is returned to the card.'),
      })
      .optional()
      .describe('Present for a `MatchedRefund`.'),
    unlinkedRefund: z
      .object({
        amount: Money.describe('What is returned to the card.'),
        cardholderNotPresent: z.boolean().describe('True: the card is keyed in without the cardholder.'),
      })
      .optional()
      .describe('Present for an `UnlinkedRefund`.'),
  })
  .meta({ id: 'SessionDetails', description: 'Exactly the member of the same theme as `sessionType`.' });

const SESSION_EXAMPLE = {
  id: 'ts_sandbox_66a1f0c2d4e5f60718293a4b',
  terminalId: 'tm_sandbox_66a1f0c2d4e5f60718293a01',
  status: 'InitiateRequested',
  sessionType: 'Sale',
  paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
  expireAt: '2026-03-01T12:00:10.000Z',
  notificationEvents: [],
  statusEvents: [{ status: 'InitiateRequested', createdAt: '2026-03-01T12:00:00.000Z', debugMessage: '' }],
  details: { sessionType: 'Sale', sale: { paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw' } },
};

export const TerminalSession = z
  .object({
    id: z.string().describe('Id of the session: `ts_sandbox_…` in the sandbox, `ts_prod_…` in production.'),
    terminalId: z.string().describe('Id of the card machine (`tm_…`).'),
    status: z
      .enum(SESSION_STATUSES)
      .describe(
        'Where the session is. Final are `Authorized`, `Captured`, `Canceled`, `Expired`, `Declined` and `SignatureVerificationRejected`.',
      ),
    sessionType: z.enum(SESSION_TYPES).describe('Equal to `details.sessionType`.'),
    paymentIntentId: z
      .string()
      .optional()
      .describe('Id of the payment intent (`pi_…`) that is paid or refunded; absent for an `UnlinkedRefund`.'),
    createdAt: Moment.describe('When the session was created.'),
    updatedAt: Moment.meta({ description: 'When the last status came.' }),
    expireAt: Moment.describe(
      'When the current step must have ended: 10 s to confirm, 90 s to pay, 80 s to check a signature.',
    ),
    notificationEvents: z.array(NotificationEvent).describe('What the machine displayed, oldest first.'),
    statusEvents: z.array(StatusEvent).describe('All statuses of the session, oldest first.'),
    details: SessionDetails.describe('What the session was created for.'),
    paymentDetails: z
      .object({
        cardScheme: z.string().describe('Scheme of the card in capitals.'),
        maskedPan: z.string().describe('Twelve asterisks and the last four digits of the card.'),
        authCode: z.string().optional().describe('Code of the approval; absent without one.'),
      })
      .optional()
      .describe('The card; absent until the machine reports it.'),
    customerReceipt: Receipt.optional().describe('The copy for the cardholder; absent until the session ends.'),
    merchantReceipt: Receipt.optional().describe(
      'The copy for the merchant, with a line to sign where that is needed; absent until there is one.',
    ),
    receipt: Receipt.optional().meta({ description: 'The customer copy.' }),
  })
  .meta({ id: 'TerminalSession', examples: [SESSION_EXAMPLE] });
export type TerminalSession = z.output<typeof TerminalSession>;

const intentId = text({ min: 1, max: 100 });
const otherTheme = z.never().optional().describe('Never present here: it belongs to another value of `sessionType`.');

const NewTerminalSession = z
  .object({
    terminalId: text({ min: 1, max: 100 }).describe('Id of the card machine (`tm_…`), from the list of terminals.'),
    details: z
      .discriminatedUnion('sessionType', [
        z.object({
          sessionType: z
            .literal('Sale')
            .describe('`Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one.'),
          sale: z
            .object({ paymentIntentId: intentId.describe('Id of a payment intent (`pi_…`) that is `Created`.') })
            .describe('The payment to take.'),
          matchedRefund: otherTheme.describe('The refund of a payment.'),
          unlinkedRefund: otherTheme.describe(
            'A refund without a payment; also needs the permission `payments.refund`.',
          ),
        }),
        z.object({
          sessionType: z
            .literal('MatchedRefund')
            .describe('`Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one.'),
          matchedRefund: z
            .object({
              paymentIntentId: intentId.describe('Id of the payment intent (`pi_…`) to refund.'),
              amount: PayableInput.optional().meta({ description: 'The whole refundable amount when not sent.' }),
            })
            .describe('The refund of a payment.'),
          sale: otherTheme.describe('The payment to take.'),
          unlinkedRefund: otherTheme.describe(
            'A refund without a payment; also needs the permission `payments.refund`.',
          ),
        }),
        z.object({
          sessionType: z
            .literal('UnlinkedRefund')
            .describe('`Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one.'),
          unlinkedRefund: z
            .object({
              amount: PayableInput.describe('What is returned to the card.'),
              cardholderNotPresent: z
                .boolean()
                .default(false)
                .describe('True: the card is keyed in without the cardholder.'),
            })
            .describe('A refund without a payment; also needs the permission `payments.refund`.'),
          sale: otherTheme.describe('The payment to take.'),
          matchedRefund: otherTheme.describe('The refund of a payment.'),
        }),
      ])
      .describe('What the machine has to do.'),
  })
  .meta({
    id: 'NewTerminalSession',
    description: `Also read flat: \`terminalId\`, \`sessionType\`, \`paymentIntentId\`, \`amount\` (at most ${AMOUNT_MAX}).`,
    examples: [{ terminalId: SESSION_EXAMPLE.terminalId, details: SESSION_EXAMPLE.details }],
  })
  .register(RESHAPES, { names: ['sessionType', 'paymentIntentId', 'amount'], reshape: nestSession });

const NewSignatureDecision = z
  .object({
    accepted: z
      .boolean()
      .describe('True: the signature is the cardholder’s, and the payment continues. False: the payment is undone.'),
  })
  .meta({ id: 'SignatureDecision', examples: [{ accepted: true }] });

const shared = {
  tag: 'Terminal sessions',
  version: 'required',
  partnerHeaders: true,
  problemsCarryCode: true,
} as const;

const oneSession = {
  ...shared,
  path: '/terminal-sessions/{terminalSessionId}',
  params: z.object({ terminalSessionId: z.string().describe('Id of the session (`ts_…`).') }),
  returns: TerminalSession,
} as const;

export const createTerminalSession = {
  ...shared,
  id: 'createTerminalSession',
  movesMoney: true,
  method: 'POST',
  path: '/terminal-sessions',
  summary: 'Start a payment or a refund on a card machine',
  description:
    'The machine has ten seconds to confirm and the cardholder ninety to pay. Webhooks and GET report the progress of the session. ' +
    'Both kinds of refund also need the permission `payments.refund`.',
  permission: 'terminals.sessions',
  idempotency: 'optional',
  body: NewTerminalSession,
  returns: TerminalSession,
  refusals: [
    'account_disabled',
    'terminal_not_found',
    'terminal_unavailable',
    'payment_intent_not_found',
    'payment_intent_canceled',
    'payment_intent_busy',
    'payment_intent_not_payable',
    'payment_intent_is_deposit',
    'not_refundable',
    'refund_exceeds_captured',
    'acquirer_not_configured',
    'acquirer_lacks_capability',
    'second_person_needed',
  ],
} as const satisfies Operation;

export const readTerminalSession = {
  ...oneSession,
  id: 'readTerminalSession',
  method: 'GET',
  summary: 'Read a session of a card machine',
  permission: 'terminals.sessions',
  idempotency: 'none',
  continuesPayment: true,
  refusals: ['terminal_session_not_found'],
} as const satisfies Operation;

export const cancelTerminalSession = {
  ...oneSession,
  id: 'cancelTerminalSession',
  movesMoney: true,
  method: 'PUT',
  path: '/terminal-sessions/{terminalSessionId}/cancel',
  summary: 'Ask the card machine to stop',
  description: 'Possible until a card was presented. The session is Canceled once the machine confirms.',
  permission: 'terminals.sessions',
  idempotency: 'optional',
  continuesPayment: true,
  refusals: ['terminal_session_not_found', 'terminal_session_not_cancelable'],
} as const satisfies Operation;

export const decideSignature = {
  ...oneSession,
  id: 'decideSignature',
  movesMoney: true,
  method: 'PUT',
  path: '/terminal-sessions/{terminalSessionId}/signature',
  summary: "Accept or reject the cardholder's signature",
  description: 'Within eighty seconds of SignatureVerificationRequired; after that it counts as accepted.',
  permission: 'terminals.sessions',
  idempotency: 'optional',
  body: NewSignatureDecision,
  continuesPayment: true,
  refusals: ['terminal_session_not_found', 'signature_not_awaited'],
} as const satisfies Operation;

export const TERMINAL_SESSION_OPERATIONS = [
  createTerminalSession,
  readTerminalSession,
  cancelTerminalSession,
  decideSignature,
] as const;

/** Converts the flat form to the nested one; members in both forms must agree. */
function nestSession(sent: Members): ReshapedBody {
  const { sessionType, paymentIntentId, amount, ...members } = sent;
  const type = sessionType ?? getMember(members, ['details', 'sessionType']);
  const theme = typeof type === 'string' ? THEMES.get(type.toLowerCase()) : undefined;
  const isFlat = isAbsent(members['details']) && [sessionType, paymentIntentId, amount].some((each) => !isAbsent(each));
  const moves: { readonly from: string; readonly into: readonly string[]; readonly value: unknown }[] = [
    { from: 'sessionType', into: ['details', 'sessionType'], value: sessionType },
  ];
  if (theme !== undefined) {
    moves.push({ from: 'paymentIntentId', into: ['details', theme, 'paymentIntentId'], value: paymentIntentId });
    // The amount of a sale is the amount of its intent.
    const asked = theme === 'sale' ? undefined : amount;
    moves.push({ from: 'amount', into: ['details', theme, 'amount'], value: asked });
  }
  return moves
    .filter(({ value }) => !isAbsent(value))
    .reduce<ReshapedBody>((made, move) => applyInSequence(made, setMember(made.members, move)), {
      members: isFlat ? { ...members, details: theme === undefined ? {} : { [theme]: {} } } : members,
      conflicts: refuseStrayIntent(theme, paymentIntentId),
      // In the flat form a missing member is named in the flat form too.
      origins: isFlat ? moves.map(({ from, into }) => ({ sentAs: [from], readAs: into })) : [],
    });
}

// A map, because the type is text of the caller and an object would also find inherited properties.
const THEMES: ReadonlyMap<string, string> = new Map([
  ['sale', 'sale'],
  ['matchedrefund', 'matchedRefund'],
  ['unlinkedrefund', 'unlinkedRefund'],
]);

/** A request that names a payment wants a refund of that payment, so it cannot be an unlinked refund. */
function refuseStrayIntent(theme: string | undefined, paymentIntentId: unknown): ReshapedBody['conflicts'] {
  if (theme !== 'unlinkedRefund' || paymentIntentId === undefined || paymentIntentId === null) return [];
  return [{ path: ['paymentIntentId'], message: 'Does not belong to an UnlinkedRefund.' }];
}
