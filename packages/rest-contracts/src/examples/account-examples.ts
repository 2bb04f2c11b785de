import { IDS } from './example-ids.js';
import { accept, type OperationExample, refuse } from './operation-example.js';

const KEY = {
  id: IDS.apiKey,
  accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
  environment: 'sandbox',
  label: 'bar 3',
  permissions: ['webhooks.read', 'webhooks.write'],
  strict: true,
  prefix: 'sk_sandbox_',
  last4: 'sMwI',
  createdAt: '2026-03-01T12:00:00.000Z',
};

const YELLOW_LOOK = {
  logoUrl: null,
  faviconUrl: null,
  accentColor: '#ffd400',
  font: 'serif',
  colors: {
    button: { background: '#ffd400', text: '#000000', contrast: 14.66 },
    lightLink: { background: '#ffffff', text: '#8c7500', contrast: 4.5 },
    darkLink: { background: '#1b1f27', text: '#ffd400', contrast: 11.53 },
  },
};

/** API keys, the look of the payment page, and the sandbox of an account. */
export const ACCOUNT_EXAMPLES: readonly OperationExample[] = [
  accept('createApiKey', 'A key for one purpose', {
    body: { label: 'bar 3', role: 'webhooks-only' },
    answer: { ...KEY, key: 'sk_sandbox_mVx8nq2Yb0hQ4kS1tR7uW5zA3cE6gJ9lPdFiKoNsMwI' },
  }),
  refuse(
    'createApiKey',
    { body: { label: 'bar 3' } },
    {
      summary: 'Neither a role nor permissions are named',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { permissions: ['Exactly one of permissions and role must be sent.'] },
    },
  ),
  accept('listApiKeys', 'All keys that work', { answer: [KEY] }),
  accept('changeApiKey', 'A key of before is strict from now on', {
    params: { keyId: IDS.apiKey },
    body: { strict: true },
    answer: KEY,
  }),
  refuse(
    'changeApiKey',
    { params: { keyId: IDS.unknownKey }, body: { strict: true } },
    {
      summary: 'No key of this account and environment has the id',
      reason: 'api_key_not_found',
      detail: 'there is no such key',
    },
  ),
  accept('deleteApiKey', 'The key opens nothing any more', { params: { keyId: IDS.apiKey } }),
  refuse(
    'deleteApiKey',
    { params: { keyId: IDS.unknownKey } },
    {
      summary: 'No key of this account and environment has the id',
      reason: 'api_key_not_found',
      detail: 'there is no such key',
    },
  ),
  accept('changeBranding', 'A colour and a font for the pages of the environment', {
    body: { accentColor: '#ffd400', font: 'serif' },
    answer: YELLOW_LOOK,
  }),
  refuse(
    'changeBranding',
    { body: { accentColor: 'yellow', logoUrl: 'http://cdn.example/logo.svg' } },
    {
      summary: 'The colour is a name, and the logo has no https address',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { accentColor: ['Must be a colour such as #0b57d0.'], logoUrl: ['Must be an https address.'] },
    },
  ),
  accept('getBranding', 'The look that payers of the environment see', { answer: YELLOW_LOOK }),
  accept('changeBranding: restore', 'A sandbox has the look of production again', {
    body: { accentColor: null, font: null },
    answer: { logoUrl: null, faviconUrl: null, accentColor: null, font: null, colors: null },
  }),
  accept('readMailbox', 'The receipts that would have been sent', {
    answer: {
      data: [
        {
          id: IDS.mail,
          paymentIntentId: IDS.paid,
          to: 'payer@example.com',
          subject: 'Your receipt from The Corner Table',
          text: 'The Corner Table\nAmount: 15.00 GBP\n',
          html: '<!doctype html>\n',
          createdAt: '2026-03-01T12:02:00.000Z',
        },
      ],
      before: null,
      after: null,
    },
  }),
  refuse(
    'readMailbox',
    { query: { limit: '0' } },
    {
      summary: 'A page has at least one element',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { limit: ['Must be at least 1.'] },
    },
  ),
  accept('readSandboxEpos', 'The EPOS of the sandbox serves the account', { answer: { isEnabled: true } }),
  accept('putSandboxEpos', 'The EPOS of the sandbox makes room for your own', {
    body: { isEnabled: false },
    answer: { isEnabled: false },
  }),
  refuse(
    'putSandboxEpos',
    { body: {} },
    {
      summary: 'The member is missing',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { isEnabled: ['Is required.'] },
    },
  ),
  accept('advanceClock', 'A week passes', { body: { by: '7.00:00:00' } }),
  refuse(
    'advanceClock',
    { body: { by: '-00:00:01' } },
    {
      summary: 'Time never moves back',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { by: ['Must be a timespan as hh:mm:ss or d.hh:mm:ss.'] },
    },
  ),
];
