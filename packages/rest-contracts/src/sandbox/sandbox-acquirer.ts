import { CAPABILITIES } from '@pos/core/acquirer';
import { CARD_SCHEMES, WALLET_KINDS } from '@pos/core/cards';
import { ACQUIRER_ERROR_STATUSES, ACQUIRER_METHODS } from '@pos/core/acquirer-calls';
import { isActiveCurrency } from '@pos/core/money';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { CONTROL, CONTROL_RULES_MAX, ControlDelay, ControlName, ControlRepeats } from './sandbox-control-shapes.js';
import { Moment, Money } from '../shapes/shapes.js';

/** The acquirer calls that a rule can match. */
export const RULED_CALLS = [...ACQUIRER_METHODS, 'GetCapabilities'] as const;

/**
 * The effect of a rule on the acquirer. The first three decide the outcome; the others corrupt the answer: late, booked
 * but never answered, executed twice as if the network had repeated it, never received, or with a false outcome or
 * amount. `refuse` answers the error status of the rule and books nothing; `book-and-refuse` books and answers the
 * error status.
 */
export const RULE_EFFECTS = [
  'approve',
  'decline',
  'fail',
  'delay',
  'drop-answer',
  'answer-twice',
  'down',
  'contradict',
  'misstate-amount',
  'refuse',
  'book-and-refuse',
] as const;
const STATUS_EFFECTS: ReadonlySet<string> = new Set(['refuse', 'book-and-refuse']);
const STATUS_NEEDED = { error: 'Is needed with refuse and book-and-refuse, and only with them.', path: ['status'] };

const Rule = z
  .object({
    match: z
      .object({
        kind: z.enum(RULED_CALLS).optional(),
        reference: ControlName.optional(),
        originalReference: ControlName.optional(),
        merchantId: ControlName.optional(),
        terminalId: ControlName.optional(),
        amount: z.int().min(0).optional(),
      })
      .default({})
      .meta({ description: 'A member that is absent matches every call.' }),
    effect: z.enum(RULE_EFFECTS),
    delayMs: ControlDelay.optional(),
    status: z
      .enum(ACQUIRER_ERROR_STATUSES)
      .optional()
      .meta({ description: 'The gRPC error status that is answered; with `refuse` and `book-and-refuse`.' }),
    times: ControlRepeats,
  })
  .refine(({ effect, status }) => STATUS_EFFECTS.has(effect) === (status !== undefined), STATUS_NEEDED)
  .meta({ id: 'AcquirerRule', examples: [{ match: { kind: 'Capture', amount: 1250 }, effect: 'decline', times: 1 }] });

const Rules = z
  .object({ rules: z.array(Rule).max(CONTROL_RULES_MAX) })
  .meta({ id: 'AcquirerRules', examples: [{ rules: [{ match: { kind: 'Inquire' }, effect: 'contradict' }] }] });

const RulesInForce = z.object({
  rules: z.array(
    z.object({
      match: z.object({
        kind: z.enum(RULED_CALLS).optional(),
        reference: z.string().optional(),
        originalReference: z.string().optional(),
        merchantId: z.string().optional(),
        terminalId: z.string().optional(),
        amount: z.int().optional(),
      }),
      effect: z.enum(RULE_EFFECTS),
      delayMs: z.int().optional(),
      status: z.enum(ACQUIRER_ERROR_STATUSES).optional(),
      times: z.int().optional(),
      used: z.int().meta({ description: 'How many calls it acted on.' }),
    }),
  ),
});

const CapabilityLimits = z
  .object({
    lacks: z.array(z.enum(CAPABILITIES)).default([]).meta({ description: 'What the acquirer cannot do.' }),
    currencies: z
      .array(z.string().refine(isActiveCurrency, { error: 'Must be an active currency code of ISO 4217.' }))
      .min(1)
      .optional(),
    cardSchemes: z.array(z.enum(CARD_SCHEMES)).min(1).optional(),
    wallets: z.array(z.enum(WALLET_KINDS)).optional(),
    refundWindowMs: z.int().min(0).optional(),
    notFoundFinalAfterMs: z.int().min(0).optional(),
    inquiryHorizonMs: z.int().min(0).optional(),
  })
  .meta({ id: 'CapabilityLimits', examples: [{ lacks: ['partial_capture', 'incremental_authorisation'] }] });

const DeclaredCapabilities = z.object({
  can: z.record(z.enum(CAPABILITIES), z.boolean()),
  currencies: z.array(z.string()).nullable(),
  cardSchemes: z.array(z.enum(CARD_SCHEMES)).nullable(),
  wallets: z.array(z.enum(WALLET_KINDS)),
  refundWindowMs: z.int().nullable(),
  notFoundFinalAfterMs: z.int().nullable(),
  inquiryHorizonMs: z.int().nullable(),
});

const Bookings = z.object({
  bookings: z.array(
    z.object({
      reference: z.string(),
      originalReference: z.string().optional(),
      kind: z.enum(['Authorise', 'Increase', 'Capture', 'Refund', 'Reverse']),
      merchantId: z.string(),
      terminalId: z.string().optional(),
      amount: Money,
      bookedAt: Moment,
      status: z.enum(['Booked', 'Reversed', 'Declined']),
      transactionId: z.string(),
    }),
  ),
});

export const listAcquirerRules = {
  ...CONTROL,
  id: 'listAcquirerRules',
  method: 'GET',
  path: '/acquirer/rules',
  summary: 'List the rules the simulated acquirer acts on, with how often each was used',
  returns: RulesInForce,
  refusals: [],
} as const satisfies Operation;

export const replaceAcquirerRules = {
  ...CONTROL,
  id: 'replaceAcquirerRules',
  method: 'PUT',
  path: '/acquirer/rules',
  summary: 'Replace the rules of the simulated acquirer',
  description:
    'All rules that match a call apply; of two decisions the first counts. Rules act on calls of the service and of ' +
    'the simulated card machines alike.',
  body: Rules,
  returns: RulesInForce,
  refusals: [],
} as const satisfies Operation;

export const clearAcquirerRules = {
  ...CONTROL,
  id: 'clearAcquirerRules',
  method: 'DELETE',
  path: '/acquirer/rules',
  summary: 'Let the simulated acquirer act by its cards and amounts alone',
  returns: null,
  refusals: [],
} as const satisfies Operation;

export const listAcquirerBookings = {
  ...CONTROL,
  id: 'listAcquirerBookings',
  method: 'GET',
  path: '/acquirer/bookings',
  summary: 'List everything the simulated acquirer has booked',
  query: z.object({ merchantId: ControlName.optional(), reference: ControlName.optional() }),
  returns: Bookings,
  refusals: [],
} as const satisfies Operation;

export const readAcquirerCapabilities = {
  ...CONTROL,
  id: 'readAcquirerCapabilities',
  method: 'GET',
  path: '/acquirer/capabilities',
  summary: 'Read what the simulated acquirer declares that it can do',
  returns: DeclaredCapabilities,
  refusals: [],
} as const satisfies Operation;

export const limitAcquirerCapabilities = {
  ...CONTROL,
  id: 'limitAcquirerCapabilities',
  method: 'PUT',
  path: '/acquirer/capabilities',
  summary: 'Let the simulated acquirer lack capabilities, as real ones do',
  description:
    'It can do everything else, also what it lacked before. It declares this to the service, which asks every ' +
    '`ACQUIRER_CAPABILITIES_INTERVAL_MS`, and refuses what it lacks.',
  body: CapabilityLimits,
  returns: DeclaredCapabilities,
  refusals: [],
} as const satisfies Operation;

export const resetAcquirerCapabilities = {
  ...CONTROL,
  id: 'resetAcquirerCapabilities',
  method: 'DELETE',
  path: '/acquirer/capabilities',
  summary: 'Let the simulated acquirer do everything',
  returns: null,
  refusals: [],
} as const satisfies Operation;
