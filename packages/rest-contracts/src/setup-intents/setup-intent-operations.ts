import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { NewSetupIntent, PublicSetupIntent, SetupIntent } from './setup-intents.js';

const shared = { tag: 'Setup intents', version: 'required' } as const;
const params = z.object({ setupIntentId: z.string().describe('Id of the setup intent (`si_…`).') });

export const createSetupIntent = {
  ...shared,
  id: 'createSetupIntent',
  movesMoney: true,
  method: 'POST',
  path: '/setup-intents',
  summary: 'Create a setup intent',
  description:
    'A request to store a card for one later payment that the merchant starts. The payer enters the card themselves, on ' +
    'the hosted page or with the client secret, and agrees to the terms.',
  permission: 'setup.write',
  idempotency: 'optional',
  body: NewSetupIntent,
  returns: SetupIntent,
  refusals: ['account_disabled', 'acquirer_lacks_capability'],
} as const satisfies Operation;

export const readSetupIntent = {
  ...shared,
  id: 'readSetupIntent',
  method: 'GET',
  path: '/setup-intents/{setupIntentId}',
  summary: 'Read a setup intent',
  permission: 'setup.read',
  idempotency: 'none',
  params,
  returns: SetupIntent,
  continuesPayment: true,
  refusals: ['setup_intent_not_found'],
} as const satisfies Operation;

export const cancelSetupIntent = {
  ...shared,
  id: 'cancelSetupIntent',
  movesMoney: true,
  method: 'DELETE',
  path: '/setup-intents/{setupIntentId}',
  summary: 'Give a setup intent up',
  description: 'Before a card was authorised it becomes Canceled, after that Closed, and the card is erased.',
  permission: 'setup.write',
  idempotency: 'optional',
  params,
  query: z.object({
    includeAuthorized: z
      .boolean()
      .default(false)
      .meta({ description: 'Also when a card is authorised; without it that is a conflict.' }),
  }),
  returns: SetupIntent,
  continuesPayment: true,
  refusals: ['setup_intent_not_found', 'setup_intent_not_cancelable', 'setup_intent_busy'],
} as const satisfies Operation;

export const refreshSetupSecret = {
  ...shared,
  id: 'refreshSetupSecret',
  method: 'POST',
  path: '/setup-intents/{setupIntentId}/refresh-client-session-secret',
  summary: 'Replace the client secret of a setup intent',
  description:
    'The secret is good for one attempt; a new one is needed after it was used or has expired. It voids the secrets of all pages. A challenge that has waited for its payer for 5 minutes is ended first.',
  permission: 'setup.write',
  idempotency: 'optional',
  params,
  returns: SetupIntent,
  refusals: ['setup_intent_not_found', 'secret_not_refreshable', 'setup_intent_busy'],
} as const satisfies Operation;

const open = {
  tag: 'Setup intents, by the payer',
  version: 'optional',
  permission: null,
  idempotency: 'none',
  crossOrigin: true,
  params,
  returns: PublicSetupIntent,
} as const;

export const readPublicSetupIntent = {
  ...open,
  id: 'readPublicSetupIntent',
  method: 'GET',
  path: '/setup-intents/public/{setupIntentId}',
  summary: 'Read what a payer may see of a setup intent',
  description:
    'Everybody with the link may read it. Once a card is authorised, `customer` and the addresses are shown only to the page that has authorised it, and `paymentDetails` only to the page of the attempt: it proves that by the header `client-session-secret`.',
  payerProof: true,
  refusals: ['setup_intent_not_found'],
} as const satisfies Operation;

export const refreshPublicSetupSecret = {
  ...open,
  id: 'refreshPublicSetupSecret',
  method: 'POST',
  path: '/setup-intents/public/{setupIntentId}/refresh-client-session-secret',
  summary: 'Get a client secret of a setup intent for one page of a payer',
  description:
    'The secret is good for one attempt. It voids no other secret: several payers may have the page open, and at most one of them succeeds. A refresh with the key voids it.',
  refusals: ['setup_intent_not_found', 'secret_not_refreshable', 'setup_intent_busy', 'account_disabled'],
} as const satisfies Operation;

export const SETUP_INTENT_OPERATIONS = [
  createSetupIntent,
  readSetupIntent,
  cancelSetupIntent,
  refreshSetupSecret,
  readPublicSetupIntent,
  refreshPublicSetupSecret,
] as const;
