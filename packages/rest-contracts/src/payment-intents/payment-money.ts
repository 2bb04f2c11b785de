import { AMOUNT_MAX } from '@pos/core/money/money';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { ItemLineInput, LINES_MAX, TaxLineInput } from '../intent-parts/payment-intent-parts.js';
import { PaymentIntent } from './payment-intents.js';
import { PayableInput, SurplusInput, text } from '../shapes/shapes.js';

const shared = { tag: 'Payment intents, their money', method: 'POST', version: 'required' } as const;
const params = z.object({ paymentIntentId: z.string() });

/** The refusals of every movement of money; `acquirer_unanswered` leaves the call open, to be repeated with its key. */
const MONEY_REFUSALS = [
  'payment_intent_unknown',
  'payment_intent_busy',
  'acquirer_not_configured',
  'acquirer_unanswered',
] as const;

const NOT_KNOWN =
  'An answer 504 says that the acquirer has not answered: it is asked again until it does. The payment intent shows ' +
  'how that ended, and a repeat with the same idempotency key gets the result.';

function minorUnits(min: number) {
  return z.int().min(min).max(AMOUNT_MAX).meta({ format: 'int64' });
}

export const NewCapture = z
  .object({
    amount: minorUnits(1).meta({ description: 'Minor units in the currency of the payment.' }),
    tipsAmount: minorUnits(0).default(0).meta({ description: 'Minor units, taken on top of the amount.' }),
  })
  .meta({ id: 'NewCapture', examples: [{ amount: 1000, tipsAmount: 150 }] });

export const CaptureResult = z
  .object({ captureId: z.string(), message: z.literal('DEPOSITED') })
  .meta({ id: 'CaptureResult', examples: [{ captureId: 'cp_AaH8KwlxavakGwZZljrhYw', message: 'DEPOSITED' }] });
export type CaptureResult = z.output<typeof CaptureResult>;

export const capturePaymentIntent = {
  ...shared,
  id: 'capturePaymentIntent',
  path: '/payment-intents/{paymentIntentId}/captures',
  summary: 'Capture all or part of a payment that is held',
  description: `Several are allowed, until together they are what was authorised. ${NOT_KNOWN}`,
  permission: 'payments.capture',
  idempotency: 'optional',
  params,
  body: NewCapture,
  returns: CaptureResult,
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
    refundReason: freeText({ max: 1024 }).optional(),
    notes: freeText({ max: 4096 }).optional(),
    previousTransactionId: text({ max: 100 }).optional(),
  })
  .meta({ id: 'NewRefund', examples: [{ amount: 500, refundReason: 'cold soup' }] });

export const Refund = z
  .object({
    paymentIntentId: z.string(),
    refundId: z.string(),
    refundReason: z.string().optional(),
    notes: z.string().optional(),
    message: z.literal('REFUNDED'),
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
  refusals: [
    ...MONEY_REFUSALS,
    'payment_intent_canceled',
    'not_refundable',
    'refund_exceeds_captured',
    'refund_refused',
  ],
} as const satisfies Operation;

export const readRefund = {
  ...shared,
  id: 'readRefund',
  method: 'GET',
  path: '/payment-intents/refunds/{refundId}',
  summary: 'Read a refund that was made',
  permission: 'payments.read',
  idempotency: 'none',
  params: z.object({ refundId: z.string() }),
  returns: Refund,
  refusals: ['validation_failed', 'refund_not_found'],
} as const satisfies Operation;

export const Reversal = z
  .object({ message: z.literal('REVERSED'), reversalId: z.string() })
  .meta({ id: 'Reversal', examples: [{ message: 'REVERSED', reversalId: 'rvs_AaH8KwlxavakGwZZljrhYw' }] });
export type Reversal = z.output<typeof Reversal>;

export const reversePaymentIntent = {
  ...shared,
  id: 'reversePaymentIntent',
  path: '/payment-intents/{paymentIntentId}/reversal',
  summary: 'Undo a payment as a whole',
  description:
    'While nothing of it is captured, within seven days; a payment that was taken at once, on the same UTC day and ' +
    `while nothing of it is refunded. After that it is refunded. A reversal cannot be undone. ${NOT_KNOWN}`,
  permission: 'payments.refund',
  idempotency: 'optional',
  params,
  returns: Reversal,
  refusals: [
    ...MONEY_REFUSALS,
    'payment_intent_held_for_order',
    'not_reversible',
    'reversal_window_passed',
    'reversal_refused',
  ],
} as const satisfies Operation;

export const ChargeResult = z
  .object({
    paymentIntentId: z.string(),
    status: z
      .enum(['Successful', 'Declined', 'Failed', 'Created'])
      .meta({ description: '`Created`: the outcome is not known yet, and the payment intent will tell it.' }),
    message: z.string(),
  })
  .meta({
    id: 'ChargeResult',
    examples: [{ paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw', status: 'Successful', message: 'DEPOSITED' }],
  });

export const chargePaymentIntent = {
  ...shared,
  id: 'chargePaymentIntent',
  path: '/payment-intents/{paymentIntentId}/charge',
  summary: 'Charge the card of the setup intent that the payment names',
  description:
    'Without the payer, for what he has agreed to. Approved it is taken at once, and the setup intent is Completed: its ' +
    'card can be charged once. After a refusal it may be tried again. `Created` is the answer for good where an ' +
    '`idempotencyKey` was sent: a repeat answers `Created` again, and the payment intent tells how the charge ended.',
  permission: 'payments.charge',
  idempotency: 'optional',
  params,
  returns: ChargeResult,
  refusals: [
    'payment_intent_not_found',
    'payment_intent_busy',
    'setup_intent_busy',
    'acquirer_not_configured',
    'not_chargeable',
    'charge_without_setup_intent',
    'charge_exceeds_intended',
    'setup_intent_not_chargeable',
  ],
} as const satisfies Operation;

export const NewAmount = z
  .object({
    amount: PayableInput,
    itemLines: z
      .array(ItemLineInput)
      .max(LINES_MAX)
      .optional()
      .meta({ description: 'Replace the old ones when sent.' }),
    taxLines: z.array(TaxLineInput).max(LINES_MAX).optional().meta({ description: 'Replace the old ones when sent.' }),
  })
  .meta({ id: 'NewAmount', examples: [{ amount: { value: 1500, currencyCode: 'GBP' } }] });

const AMOUNT_REFUSALS = ['payment_intent_not_found', 'payment_intent_busy', 'payment_intent_held_for_order'] as const;

export const changeAmount = {
  ...shared,
  id: 'changeAmount',
  path: '/payment-intents/{paymentIntentId}/amount',
  summary: 'Change the amount of a payment intent',
  description:
    'Only where `config.payment.customAmountAllowed` was set. Before anybody paid any amount will do, and the client ' +
    'secret is replaced. A payment that is held can only be raised, before its first capture: the issuer is asked for ' +
    `the difference on the same card. ${NOT_KNOWN}`,
  permission: 'payments.write',
  idempotency: 'optional',
  params,
  body: NewAmount,
  returns: PaymentIntent,
  refusals: [
    ...AMOUNT_REFUSALS,
    'acquirer_not_configured',
    'acquirer_unanswered',
    'amount_change_not_enabled',
    'amount_not_changeable',
    'amount_not_raised',
    'amount_raise_refused',
  ],
} as const satisfies Operation;

export const NewTips = z
  .object({ tipsAmount: SurplusInput })
  .meta({ id: 'NewTips', examples: [{ tipsAmount: { value: 150, currencyCode: 'GBP' } }] });

export const changeTips = {
  ...shared,
  id: 'changeTips',
  path: '/payment-intents/{paymentIntentId}/tips-amount',
  summary: 'Change the tip of a payment intent that nobody has paid',
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
