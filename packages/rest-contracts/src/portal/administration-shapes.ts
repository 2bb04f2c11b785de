import { ENVIRONMENTS } from '@pos/core/identity';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import { getId } from '../shapes/shapes.js';

/** Every operation for operators of the whole service needs a session of one; its user needs no role in an account. */
export const ADMINISTRATION = {
  tag: 'Administration',
  permission: null,
  version: 'none',
  idempotency: 'none',
} as const;

/** What an operation that reads refuses beyond its own. */
export const OPERATOR_REFUSALS = [
  'portal_session_missing',
  'password_change_needed',
  'cross_site_request',
  'permission_missing',
  'second_factor_missing',
] as const;

/** The same of an operation that changes something. */
export const CHANGE_REFUSALS = [...OPERATOR_REFUSALS, 'reauthentication_needed'] as const;

/** Which account, in which environment. Problems name the members as `pos-admin` names its flags. */
export const TARGET = {
  account: getId('account', 'Must be the id of an account.').meta({ description: 'The account (`acc_…`).' }),
  environment: z.enum(ENVIRONMENTS).describe('The environment of the account.'),
};

/** Why a change is made. */
export const REASON = {
  reason: freeText({ min: 1, max: 1000 }).describe('Why; stored in the audit log with the user.'),
};

/** Whose row an element of a list is. */
export const OWNER = {
  accountId: z.string().describe('The account (`acc_…`).'),
  tradingName: z.string().describe('Its name for payers.'),
  environment: z.enum(ENVIRONMENTS).describe('The environment.'),
};

export const EXAMPLE_TARGET = { account: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA', environment: 'production' } as const;
export const EXAMPLE_OWNER = {
  accountId: EXAMPLE_TARGET.account,
  tradingName: 'The Corner Table',
  environment: 'production',
} as const;
