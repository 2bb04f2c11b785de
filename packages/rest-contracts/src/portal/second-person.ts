import { FOUR_EYES_STATES } from '@pos/core/administration';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { freeText } from '../shapes/free-text.js';
import { isOneDirection, Moment, ONE_DIRECTION, PAGE_MEMBERS, text } from '../shapes/shapes.js';

const id = text({ min: 1, max: 50 }).describe('The request.');

const FourEyesRequest = z
  .object({
    id: z.string().describe('The request.'),
    operationId: z.string().describe('The operation of the public API that is sent once the request is approved.'),
    paymentIntentId: z.string().optional().describe('The payment whose money is given back.'),
    amount: z
      .object({ value: z.int().describe('Minor units.'), currencyCode: z.string().describe('ISO 4217.') })
      .optional()
      .describe('How much; absent where the request names no amount.'),
    body: z.string().describe('The body that is sent.'),
    state: z
      .enum([...FOUR_EYES_STATES, 'Expired'])
      .describe('`Approved`: may be done, and whether it is done is not known. `Failed`: it became impossible.'),
    requestedBy: z.string().describe('The name of the requester.'),
    requestedAt: Moment.describe('When.'),
    expiresAt: Moment.describe('Until when it can be approved and begun.'),
    canDecide: z.boolean().describe('Whether the user may decide. A requester may not.'),
    decidedBy: z.string().optional().describe('The name of the second person.'),
    decisionReason: z.string().optional().describe('What the second person wrote.'),
    decidedAt: Moment.optional().describe('When the second person decided.'),
    outcomeReason: z.string().optional().describe('The reason of the refusal if the action failed.'),
  })
  .meta({ id: 'FourEyesRequest' });
export type FourEyesRequest = z.output<typeof FourEyesRequest>;

const EXAMPLE = {
  id: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
  operationId: 'refundPaymentIntent',
  paymentIntentId: 'pi_AaH8KwlxavakGwZZljrhYw',
  amount: { value: 25_000, currencyCode: 'GBP' },
  body: '{"amount":25000}',
  state: 'Waiting' as const,
  requestedBy: 'Ann Lee',
  requestedAt: '2026-03-01T12:00:00.000Z',
  expiresAt: '2026-03-02T12:00:00.000Z',
  canDecide: true,
};

const SHARED = { tag: 'Portal', permission: null, version: 'none', idempotency: 'none' } as const;
const READ_REFUSALS = [
  'portal_session_missing',
  'cross_site_request',
  'account_not_chosen',
  'permission_missing',
] as const;
const CHANGE_REFUSALS = [
  ...READ_REFUSALS,
  'reauthentication_needed',
  'validation_failed',
  'four_eyes_request_unknown',
  'four_eyes_request_decided',
  'second_person_refused',
  'service_unavailable',
] as const;

export const listFourEyesRequests = {
  ...SHARED,
  id: 'listFourEyesRequests',
  method: 'GET',
  path: '/portal/second-person',
  summary: 'List what waits for a second person, and what has waited',
  description: 'Of the account in which the user works, newest first.',
  query: z.object(PAGE_MEMBERS).refine(isOneDirection, ONE_DIRECTION),
  returns: z
    .object({
      requests: z.array(FourEyesRequest),
      before: z.string().nullable().describe('The cursor of the newer requests; null at the beginning.'),
      after: z.string().nullable().describe('The cursor of the older requests; null at the end.'),
    })
    .meta({ id: 'FourEyesRequests', examples: [{ requests: [EXAMPLE], before: null, after: null }] }),
  refusals: [...READ_REFUSALS, 'validation_failed'],
} as const satisfies Operation;

export const decideFourEyesRequest = {
  ...SHARED,
  id: 'decideFourEyesRequest',
  method: 'POST',
  path: '/portal/second-person/decision',
  summary: 'Approve or refuse a request as the second person',
  description:
    'An approved action is done at once. If its end is not known, `sendFourEyesRequest` repeats it: it is done once.',
  body: z
    .object({
      id,
      isApproved: z.boolean().describe('True: do it. False: it is never done.'),
      reason: freeText({ min: 1, max: 1_000 }).describe('Why, for the audit log.'),
    })
    .meta({ id: 'FourEyesDecision', examples: [{ id: EXAMPLE.id, isApproved: true, reason: 'seen the receipt' }] }),
  returns: FourEyesRequest.meta({ id: 'DecidedFourEyesRequest', examples: [{ ...EXAMPLE, state: 'Done' as const }] }),
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const sendFourEyesRequest = {
  ...SHARED,
  id: 'sendFourEyesRequest',
  method: 'POST',
  path: '/portal/second-person/sending',
  summary: 'Send an approved action whose end is not known again',
  body: z.object({ id }).meta({ id: 'FourEyesSending', examples: [{ id: EXAMPLE.id }] }),
  returns: FourEyesRequest.meta({ id: 'SentFourEyesRequest', examples: [{ ...EXAMPLE, state: 'Done' as const }] }),
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const SECOND_PERSON_OPERATIONS = [
  listFourEyesRequests,
  decideFourEyesRequest,
  sendFourEyesRequest,
] as const satisfies readonly Operation[];
