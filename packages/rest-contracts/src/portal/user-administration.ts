import { ENVIRONMENTS, MEMBER_ROLES } from '@pos/core/identity';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { freeText } from '../shapes/free-text.js';
import { Moment } from '../shapes/shapes.js';
import {
  ADMINISTRATION,
  CHANGE_REFUSALS,
  EXAMPLE_TARGET,
  OPERATOR_REFUSALS,
  REASON,
  TARGET,
} from './administration-shapes.js';

const AdministeredUser = z
  .object({
    id: z.string().describe('The user (`usr_…`).'),
    email: z.string().describe('The address that the user signs in with.'),
    name: z.string().describe('The name of the user.'),
    isOperator: z.boolean().describe('The user works in all accounts.'),
    status: z.enum(['Active', 'Disabled']).describe('A disabled user cannot sign in.'),
    createdAt: Moment.describe('When the user was created.'),
    lastSignInAt: Moment.optional().describe('The last sign-in; absent without a recorded one.'),
    lockedUntil: Moment.optional().describe('When a lock after ten wrong passwords ends; absent without a lock.'),
    roles: z
      .array(z.object({ accountId: z.string(), environment: z.enum(ENVIRONMENTS), role: z.enum(MEMBER_ROLES) }))
      .describe('One for each environment of an account; empty for an operator.'),
  })
  .meta({ id: 'AdministeredUser' });
export type AdministeredUser = z.output<typeof AdministeredUser>;

const email = freeText({ min: 1, max: 254 }).describe('The address of the user.');
const EXAMPLE_EMAIL = 'ann@corner.example';
const Password = z
  .object({ password: z.string().describe('The password of the user. Only this answer contains it.') })
  .meta({ id: 'AdministeredPassword', examples: [{ password: 'mVx8nq2Yb0hQ4kS1tR7u' }] });

export const listAdministeredUsers = {
  ...ADMINISTRATION,
  id: 'listAdministeredUsers',
  method: 'GET',
  path: '/portal/administration/users',
  summary: 'List the users of the portal with their roles',
  returns: z.array(AdministeredUser).meta({
    id: 'AdministeredUsers',
    examples: [
      [
        {
          id: 'usr_AaH8KwlxavakGwZZljrhYw',
          email: EXAMPLE_EMAIL,
          name: 'Ann Lee',
          isOperator: false,
          status: 'Active',
          createdAt: '2026-03-01T12:00:00.000Z',
          lastSignInAt: '2026-03-02T08:30:00.000Z',
          roles: [{ accountId: EXAMPLE_TARGET.account, environment: 'production', role: 'support' }],
        },
      ],
    ],
  }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;

export const createAdministeredUser = {
  ...ADMINISTRATION,
  id: 'createAdministeredUser',
  method: 'POST',
  path: '/portal/administration/users',
  summary: 'Create a user of the portal, with a password that is shown once',
  body: z
    .object({
      email,
      name: freeText({ min: 1, max: 100 }).describe('The name of the user.'),
      isOperator: z.boolean().default(false).describe('The user works in all accounts.'),
      ...REASON,
    })
    .meta({
      id: 'NewAdministeredUser',
      examples: [{ email: EXAMPLE_EMAIL, name: 'Ann Lee', isOperator: false, reason: 'new colleague' }],
    }),
  returns: Password,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const changeAdministeredUserStatus = {
  ...ADMINISTRATION,
  id: 'changeAdministeredUserStatus',
  method: 'POST',
  path: '/portal/administration/users/status',
  summary: 'Disable a user, whose sessions end at once, or enable one again',
  body: z.object({ email, status: z.enum(['Active', 'Disabled']).describe('The new status.'), ...REASON }).meta({
    id: 'AdministeredUserStatus',
    examples: [{ email: EXAMPLE_EMAIL, status: 'Disabled', reason: 'has left' }],
  }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const resetAdministeredPassword = {
  ...ADMINISTRATION,
  id: 'resetAdministeredPassword',
  method: 'POST',
  path: '/portal/administration/users/reset-password',
  summary: 'Give a user another password, and end all sessions of the user',
  body: z.object({ email, ...REASON }).meta({
    id: 'AdministeredPasswordReset',
    examples: [{ email: EXAMPLE_EMAIL, reason: 'has forgotten it' }],
  }),
  returns: Password,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const resetAdministeredSecondFactor = {
  ...ADMINISTRATION,
  id: 'resetAdministeredSecondFactor',
  method: 'POST',
  path: '/portal/administration/users/reset-second-factor',
  summary: 'Remove all second factors of a user, and end all sessions of the user',
  body: z.object({ email, ...REASON }).meta({
    id: 'AdministeredSecondFactorReset',
    examples: [{ email: EXAMPLE_EMAIL, reason: 'has lost the phone' }],
  }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const grantAdministeredRole = {
  ...ADMINISTRATION,
  id: 'grantAdministeredRole',
  method: 'POST',
  path: '/portal/administration/users/grant',
  summary: 'Give a user a role in an account; it replaces the previous one',
  body: z.object({ email, ...TARGET, role: z.enum(MEMBER_ROLES).describe('What the user may do.'), ...REASON }).meta({
    id: 'AdministeredRoleGrant',
    examples: [{ email: EXAMPLE_EMAIL, ...EXAMPLE_TARGET, role: 'support', reason: 'team of the Corner Table' }],
  }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const revokeAdministeredRole = {
  ...ADMINISTRATION,
  id: 'revokeAdministeredRole',
  method: 'POST',
  path: '/portal/administration/users/revoke',
  summary: 'Take the role of a user in an account away',
  body: z.object({ email, ...TARGET, ...REASON }).meta({
    id: 'AdministeredRoleRevocation',
    examples: [{ email: EXAMPLE_EMAIL, ...EXAMPLE_TARGET, reason: 'other team' }],
  }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const unlockAdministeredUser = {
  ...ADMINISTRATION,
  id: 'unlockAdministeredUser',
  method: 'POST',
  path: '/portal/administration/users/unlock',
  summary: 'End the lock of a user after ten wrong passwords',
  body: z.object({ email, ...REASON }).meta({
    id: 'AdministeredUnlock',
    examples: [{ email: EXAMPLE_EMAIL, reason: 'has called, and it was a stranger' }],
  }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const endAdministeredSessions = {
  ...ADMINISTRATION,
  id: 'endAdministeredSessions',
  method: 'POST',
  path: '/portal/administration/users/end-sessions',
  summary: 'End all sessions of a user, who may sign in again',
  body: z.object({ email, ...REASON }).meta({
    id: 'AdministeredSessionEnd',
    examples: [{ email: EXAMPLE_EMAIL, reason: 'has lost a notebook' }],
  }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;
