import { AMOUNT_MAX } from '@pos/core/money/money';
import { RECEIPT_ALIGNS, RECEIPT_LINE_TYPES, RECEIPT_TEXT_SIZES } from '@pos/core/receipts/receipt';
import { SESSION_STATUSES, SESSION_TYPES } from '@pos/core/terminals/terminal-session';
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

export const Receipt = z
  .object({
    lines: z.array(
      z.object({
        lineType: z.enum(RECEIPT_LINE_TYPES),
        text: z
          .object({
            value: z.string(),
            size: z.enum(RECEIPT_TEXT_SIZES),
            align: z.enum(RECEIPT_ALIGNS),
            emphasisBold: z.boolean(),
          })
          .optional(),
        imageLogo: z.object({ value: z.string(), align: z.enum(RECEIPT_ALIGNS) }).optional(),
      }),
    ),
  })
  .meta({ id: 'Receipt' });

export const SessionDetails = z
  .object({
    sessionType: z.enum(SESSION_TYPES),
    sale: z.object({ paymentIntentId: z.string() }).optional(),
    matchedRefund: z.object({ paymentIntentId: z.string(), amount: Money }).optional(),
    unlinkedRefund: z.object({ amount: Money, cardholderNotPresent: z.boolean() }).optional(),
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
    id: z.string(),
    terminalId: z.string(),
    status: z.enum(SESSION_STATUSES),
    sessionType: z.enum(SESSION_TYPES),
    paymentIntentId: z.string().optional(),
    createdAt: Moment,
    updatedAt: Moment.meta({ description: 'When the last status came.' }),
    expireAt: Moment,
    notificationEvents: z.array(NotificationEvent),
    statusEvents: z.array(StatusEvent),
    details: SessionDetails,
    paymentDetails: z
      .object({ cardScheme: z.string(), maskedPan: z.string(), authCode: z.string().optional() })
      .optional(),
    customerReceipt: Receipt.optional(),
    merchantReceipt: Receipt.optional(),
    receipt: Receipt.optional().meta({ description: 'The customer copy.' }),
  })
  .meta({ id: 'TerminalSession', examples: [SESSION_EXAMPLE] });
export type TerminalSession = z.output<typeof TerminalSession>;

const intentId = text({ min: 1, max: 100 });
const otherTheme = z.never().optional();

const NewTerminalSession = z
  .object({
    terminalId: text({ min: 1, max: 100 }),
    details: z.discriminatedUnion('sessionType', [
      z.object({
        sessionType: z.literal('Sale'),
        sale: z.object({ paymentIntentId: intentId }),
        matchedRefund: otherTheme,
        unlinkedRefund: otherTheme,
      }),
      z.object({
        sessionType: z.literal('MatchedRefund'),
        matchedRefund: z.object({
          paymentIntentId: intentId,
          amount: PayableInput.optional().meta({ description: 'All that is left when not sent.' }),
        }),
        sale: otherTheme,
        unlinkedRefund: otherTheme,
      }),
      z.object({
        sessionType: z.literal('UnlinkedRefund'),
        unlinkedRefund: z.object({ amount: PayableInput, cardholderNotPresent: z.boolean().default(false) }),
        sale: otherTheme,
        matchedRefund: otherTheme,
      }),
    ]),
  })
  .meta({
    id: 'NewTerminalSession',
    description: `Also read flat: \`terminalId\`, \`sessionType\`, \`paymentIntentId\`, \`amount\` (at most ${AMOUNT_MAX}).`,
    examples: [{ terminalId: SESSION_EXAMPLE.terminalId, details: SESSION_EXAMPLE.details }],
  })
  .register(RESHAPES, { names: ['sessionType', 'paymentIntentId', 'amount'], reshape: nestSession });

const NewSignatureDecision = z
  .object({ accepted: z.boolean() })
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
  params: z.object({ terminalSessionId: z.string() }),
  returns: TerminalSession,
} as const;

export const createTerminalSession = {
  ...shared,
  id: 'createTerminalSession',
  method: 'POST',
  path: '/terminal-sessions',
  summary: 'Start a payment or a refund on a card machine',
  description:
    'The machine has ten seconds to confirm and the cardholder ninety to pay. The session tells its progress by webhook and by GET. ' +
    'An unlinked refund also needs the permission `payments.refund`.',
  permission: 'terminals.sessions',
  idempotency: 'optional',
  body: NewTerminalSession,
  returns: TerminalSession,
  refusals: [
    'terminal_not_found',
    'terminal_unavailable',
    'payment_intent_not_found',
    'payment_intent_canceled',
    'payment_intent_busy',
    'payment_intent_not_payable',
    'not_refundable',
    'refund_exceeds_captured',
    'acquirer_not_configured',
  ],
} as const satisfies Operation;

export const readTerminalSession = {
  ...oneSession,
  id: 'readTerminalSession',
  method: 'GET',
  summary: 'Read a session of a card machine',
  permission: 'terminals.sessions',
  idempotency: 'none',
  refusals: ['terminal_session_not_found'],
} as const satisfies Operation;

export const cancelTerminalSession = {
  ...oneSession,
  id: 'cancelTerminalSession',
  method: 'PUT',
  path: '/terminal-sessions/{terminalSessionId}/cancel',
  summary: 'Ask the card machine to stop',
  description: 'Possible until a card was presented. The session is Canceled once the machine confirms.',
  permission: 'terminals.sessions',
  idempotency: 'optional',
  refusals: ['terminal_session_not_found', 'terminal_session_not_cancelable'],
} as const satisfies Operation;

export const decideSignature = {
  ...oneSession,
  id: 'decideSignature',
  method: 'PUT',
  path: '/terminal-sessions/{terminalSessionId}/signature',
  summary: "Accept or reject the cardholder's signature",
  description: 'Within eighty seconds of SignatureVerificationRequired; after that it counts as accepted.',
  permission: 'terminals.sessions',
  idempotency: 'optional',
  body: NewSignatureDecision,
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
