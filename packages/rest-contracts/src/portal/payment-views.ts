import { PAYMENT_INTENT_STATUSES, SAVED_VIEW_NAME_LENGTH_MAX } from '@pos/core/payment-intents';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { freeText } from '../shapes/free-text.js';

const name = freeText({ min: 1, max: SAVED_VIEW_NAME_LENGTH_MAX });
const Filter = z
  .object({
    status: z.enum(PAYMENT_INTENT_STATUSES).optional(),
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
  })
  .meta({ id: 'PaymentViewFilter' });

export const PaymentView = z.object({ id: z.uuid(), name: z.string(), filter: Filter }).meta({
  id: 'PaymentView',
  examples: [{ id: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f', name: 'Unpaid', filter: { status: 'Created' } }],
});
export type PaymentView = z.output<typeof PaymentView>;

const NAME_EXAMPLE = { name: 'Unpaid' };
const shared = { tag: 'Portal', permission: null, version: 'none', idempotency: 'none' } as const;
const SESSION_REFUSALS = ['portal_session_missing', 'password_change_needed', 'cross_site_request'] as const;
const one = {
  ...shared,
  path: '/portal/payment-views/{viewId}',
  params: z.object({ viewId: z.string() }),
} as const;

export const listPaymentViews = {
  ...shared,
  id: 'listPaymentViews',
  method: 'GET',
  path: '/portal/payment-views',
  summary: 'List the saved views of the user',
  returns: z.array(PaymentView),
  refusals: SESSION_REFUSALS,
} as const satisfies Operation;

export const createPaymentView = {
  ...shared,
  id: 'createPaymentView',
  method: 'POST',
  path: '/portal/payment-views',
  summary: 'Save a filter of the list of payments under a name',
  body: z
    .object({ name, filter: Filter })
    .meta({ id: 'NewPaymentView', examples: [{ ...NAME_EXAMPLE, filter: { status: 'Created' } }] }),
  returns: PaymentView,
  refusals: SESSION_REFUSALS,
} as const satisfies Operation;

export const renamePaymentView = {
  ...one,
  id: 'renamePaymentView',
  method: 'PATCH',
  summary: 'Give a saved view another name',
  body: z.object({ name }).meta({ id: 'PaymentViewName', examples: [NAME_EXAMPLE] }),
  returns: PaymentView,
  refusals: SESSION_REFUSALS,
} as const satisfies Operation;

export const deletePaymentView = {
  ...one,
  id: 'deletePaymentView',
  method: 'DELETE',
  summary: 'Delete a saved view',
  returns: null,
  refusals: [...SESSION_REFUSALS, 'validation_failed'],
} as const satisfies Operation;

export const PAYMENT_VIEW_OPERATIONS = [
  listPaymentViews,
  createPaymentView,
  renamePaymentView,
  deletePaymentView,
] as const;
