import { AMOUNT_MAX } from '@pos/core/money';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { ItemLineInput, LINES_MAX, TaxLineInput } from '../intent-parts/payment-intent-parts.js';
import { PaymentIntent } from './payment-intents.js';
import { PayableInput, SurplusInput, text } from '../shapes/shapes.js';

const shared = { tag: 'Payment intents, their money', method: 'POST', version: 'required' } as const;
const params = z.object({ paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`).') });

/** The refusals of every movement of money; `acquirer_unanswered` leaves the call open, to be repeated with its key. */
const MONEY_REFUSALS = [
  'payment_intent_unknown',
  'payment_intent_busy',
  'acquirer_not_configured',
  'acquirer_lacks_capability',
  'acquirer_unanswered',
] as const;

const NOT_KNOWN =
  'An answer 504 means that the acquirer has not answered: the service repeats the call until it does. The payment intent ' +
  'then has the outcome, and a repeat with the same idempotency key returns it.';

function minorUnits(min: number) {
  return z.int().min(min).max(AMOUNT_MAX).meta({ format: 'int64' });
}

const NewCapture = z
  .object({
    amount: minorUnits(1).meta({ description: 'Minor units in the currency of the payment.' }),
    tipsAmount: minorUnits(0).default(0).meta({ description: 'Minor units, taken on top of the amount.' }),
  })
  .meta({ id: 'NewCapture', examples: [{ amount: 1000, tipsAmount: 150 }] });

const CaptureResult = z
  .object({
    captureId: z.string().describe('Id of the capture (`cp_…`); also in `captures` of the intent.'),
    message: z.literal('DEPOSITED').describe('Always `DEPOSITED`: the acquirer has accepted the capture.'),
  })
  .meta({ id: 'CaptureResult', examples: [{ captureId: 'cp_AaH8KwlxavakGwZZljrhYw', message: 'DEPOSITED' }] });
type CaptureResult = z.output<typeof CaptureResult>;

export const capturePaymentIntent = {
  ...shared,
  id: 'capturePaymentIntent',
  movesMoney: true,
  path: '/payment-intents/{paymentIntentId}/captures',
  summary: 'Capture all or part of a payment that is held',
  description: `Several are allowed, until together they are what was authorised. ${NOT_KNOWN}`,
  permission: 'payments.capture',
  idempotency: 'optional',
  params,
  body: NewCapture,
  returns: CaptureResult,
  continuesPayment: true,
  refusals: [
    ...MONEY_REFUSALS,
    'payment_intent_held_for_order',
    'not_capturable',
    'capture_exceeds_authorized',
    'capture_refused',
  ],
} as const satisfies Operation;

export const NewRefund = z
  .object({
    amount: minorUnits(1).meta({ description: 'Minor units in the currency of the payment.' }),
    refundReason: freeText({ max: 1024 }).optional().describe('Why the money is returned; returned with the refund.'),
    notes: freeText({ max: 4096 }).optional().describe('Further notes of the integrator; returned with the refund.'),
    previousTransactionId: text({ max: 100 })
      .optional()
      .describe(
        'The integrator’s reference of the transaction that the refund belongs to; stored and not interpreted.',
      ),
  })
  .meta({ id: 'NewRefund', examples: [{ amount: 500, refundReason: 'cold soup' }] });

export const Refund = z
  .object({
    paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`) whose money was returned.'),
    refundId: z.string().describe('Id of the refund (`rfnd_…`).'),
    refundReason: z.string().optional().describe('The reason that was sent; absent if none was.'),
    notes: z.string().optional().describe('The notes that were sent; absent if none were.'),
    message: z.literal('REFUNDED').describe('Always `REFUNDED`: the acquirer has accepted the refund.'),
  })
  .meta({
    id: 'Refund',
    examples: [
      {
        paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        refundId: 'rfnd_AaH8KwlxavakGwZZljrhYw',
        refundReason: 'cold soup',
        message: 'REFUNDED',
      },
    ],
  });
export type Refund = z.output<typeof Refund>;

export const refundPaymentIntent = {
  ...shared,
  id: 'refundPaymentIntent',
  movesMoney: true,
  path: '/payment-intents/{paymentIntentId}/refunds',
  summary: 'Refund all or part of what was captured',
  description:
    'Several are allowed, until together they are what was captured. A refund cannot be undone. Of a payment that is ' +
    `still held in part the rest of the hold is released with it. ${NOT_KNOWN}`,
  permission: 'payments.refund',
  idempotency: 'required',
  params,
  body: NewRefund,
  returns: Refund,
  continuesPayment: true,
  refusals: [
    ...MONEY_REFUSALS,
    'payment_intent_canceled',
    'payment_intent_is_deposit',
    'not_refundable',
    'refund_exceeds_captured',
    'refund_refused',
    'second_person_needed',
  ],
} as const satisfies Operation;

export const readRefund = {
  ...shared,
  id: 'readRefund',
  method: 'GET',
  path: '/payment-intents/refunds/{refundId}',
  summary: 'Read a refund',
  permission: 'payments.read',
  idempotency: 'none',
  params: z.object({ refundId: z.string().describe('Id of the refund (`rfnd_…`), at most 50 characters.') }),
  returns: Refund,
  continuesPayment: true,
  refusals: ['validation_failed', 'refund_not_found'],
} as const satisfies Operation;

const Reversal = z
  .object({
    message: z.literal('REVERSED').describe('Always `REVERSED`: the acquirer has undone the payment.'),
    reversalId: z.string().describe('Id of the reversal (`rvs_…`).'),
  })
  .meta({ id: 'Reversal', examples: [{ message: 'REVERSED', reversalId: 'rvs_AaH8KwlxavakGwZZljrhYw' }] });
type Reversal = z.output<typeof Reversal>;

export const reversePaymentIntent = {
  ...shared,
  id: 'reversePaymentIntent',
  movesMoney: true,
  path: '/payment-intents/{paymentIntentId}/reversal',
  summary: 'Undo a payment as a whole',
  description:
    'While nothing of it is captured, within seven days; a payment that was taken at once, on the same calendar day of its ' +
    `location and while nothing of it is refunded. After that it is refunded. A reversal cannot be undone. ${NOT_KNOWN}`,
  permission: 'payments.refund',
  idempotency: 'optional',
  params,
  returns: Reversal,
  continuesPayment: true,
  refusals: [
    ...MONEY_REFUSALS,
    'payment_intent_held_for_order',
    'payment_intent_is_deposit',
    'not_reversible',
    'reversal_window_passed',
    'reversal_refused',
    'second_person_needed',
  ],
} as const satisfies Operation;

const ChargeResult = z
  .object({
    paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`) that was charged.'),
    status: z.enum(['Successful', 'Declined', 'Failed', 'Created']).meta({
      description:
        'How the charge has ended. `Created` is not sent any more: an outcome that is not known yet is the answer 504.',
    }),
    message: z
      .string()
      .describe('Outcome in the words of `paymentDetails.message`, such as `DEPOSITED` or `DECLINED`.'),
  })
  .meta({
    id: 'ChargeResult',
    examples: [{ paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw', status: 'Successful', message: 'DEPOSITED' }],
  });

export const chargePaymentIntent = {
  ...shared,
  id: 'chargePaymentIntent',
  movesMoney: true,
  path: '/payment-intents/{paymentIntentId}/charge',
  summary: 'Charge the card of the setup intent that the payment names',
  description:
    'Charges the card without the payer, under their earlier agreement. If it is approved, the money is captured at once and ' +
    'the setup intent is Completed: its card can be charged once. After a refusal the charge may be repeated with ' +
    `another key. ${NOT_KNOWN} A charge that stays without an answer is reversed: a repeat then returns \`Failed\` with the ` +
    'message `REVERSED`, and the events of the payment intent show `Error`, and `Reversed` once the acquirer has undone it. ' +
    'A charge that took no money sends `payment_intent.charge_failed` to a subscription that names this kind.',
  permission: 'payments.charge',
  idempotency: 'optional',
  params,
  returns: ChargeResult,
  refusals: [
    'account_disabled',
    'payment_intent_not_found',
    'payment_intent_busy',
    'setup_intent_busy',
    'acquirer_not_configured',
    'acquirer_lacks_capability',
    'acquirer_unanswered',
    'not_chargeable',
    'charge_without_setup_intent',
    'charge_exceeds_intended',
    'setup_intent_not_chargeable',
  ],
} as const satisfies Operation;

export const NewAmount = z
  .object({
    amount: PayableInput.describe('The new price, in the currency of the payment. At least 1.'),
    itemLines: z
      .array(ItemLineInput)
      .max(LINES_MAX)
      .optional()
      .meta({ description: 'Replace the old ones when sent.' }),
    taxLines: z.array(TaxLineInput).max(LINES_MAX).optional().meta({ description: 'Replace the old ones when sent.' }),
  })
  .meta({ id: 'NewAmount', examples: [{ amount: { value: 1500, currencyCode: 'GBP' } }] });

export const AMOUNT_REFUSALS = [
  'payment_intent_not_found',
  'payment_intent_busy',
  'payment_intent_held_for_order',
] as const;

export const changeAmount = {
  ...shared,
  id: 'changeAmount',
  movesMoney: true,
  path: '/payment-intents/{paymentIntentId}/amount',
  summary: 'Change the amount of a payment intent',
  description:
    'Before the payment only if `config.payment.customAmountAllowed` was set: any amount is accepted, and the client ' +
    'secret is replaced. The amount of a held payment can only be raised, before its first capture, and only if ' +
    '`config.payment.holdRaiseAllowed` or `config.payment.customAmountAllowed` was set: the issuer authorises the ' +
    `difference on the same card. ${NOT_KNOWN}`,
  permission: 'payments.write',
  idempotency: 'optional',
  params,
  body: NewAmount,
  returns: PaymentIntent,
  refusals: [
    ...AMOUNT_REFUSALS,
    'acquirer_not_configured',
    'acquirer_lacks_capability',
    'acquirer_unanswered',
    'amount_change_not_enabled',
    'amount_not_changeable',
    'amount_not_raised',
    'amount_raise_refused',
  ],
} as const satisfies Operation;

export const NewTips = z
  .object({ tipsAmount: SurplusInput.describe('The new tip, in the currency of the payment; 0 removes it.') })
  .meta({ id: 'NewTips', examples: [{ tipsAmount: { value: 150, currencyCode: 'GBP' } }] });

export const changeTips = {
  ...shared,
  id: 'changeTips',
  movesMoney: true,
  path: '/payment-intents/{paymentIntentId}/tips-amount',
  summary: 'Change the tip of an unpaid payment intent',
  description: 'Only where `config.payment.tipsAllowed` was set. The client secret is replaced.',
  permission: 'payments.write',
  idempotency: 'optional',
  params,
  body: NewTips,
  returns: PaymentIntent,
  refusals: [...AMOUNT_REFUSALS, 'tips_change_not_enabled', 'tips_not_changeable'],
} as const satisfies Operation;

export const PAYMENT_MONEY_OPERATIONS = [
  changeAmount,
  changeTips,
  capturePaymentIntent,
  refundPaymentIntent,
  readRefund,
  reversePaymentIntent,
  chargePaymentIntent,
] as const;
