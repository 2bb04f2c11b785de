import { ENVIRONMENTS, PASSWORD_CHANGE_REASONS, PERMISSIONS, PORTAL_ROLES } from '@pos/core/identity';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Moment, text } from '../shapes/shapes.js';
import { SignedChallenge } from './passkey-shapes.js';

const AccountRole = z
  .object({
    accountId: z.string(),
    tradingName: z.string(),
    environment: z.enum(ENVIRONMENTS),
    role: z.enum(PORTAL_ROLES),
  })
  .meta({ id: 'PortalAccountRole' });

export const PortalSession = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string(), isOperator: z.boolean() }),
    accounts: z.array(AccountRole).meta({ description: 'Where the user may work; at most 500 accounts.' }),
    current: z
      .object({
        ...AccountRole.shape,
        permissions: z.array(z.enum(PERMISSIONS)),
        timeZone: z.string().meta({ description: 'The zone of its first location, by which its days begin.' }),
      })
      .optional()
      .meta({ description: 'Where the user works; absent before a choice.' }),
    expiresAt: Moment,
    passwordChange: z.enum(PASSWORD_CHANGE_REASONS).optional().meta({
      description:
        'The user must change the password before anything else: an operator has set it (`firstUse`), or it is too old (`age`).',
    }),
    isReauthenticated: z.boolean().meta({ description: 'A credential was entered within the last five minutes.' }),
    isSecondFactorMissing: z.boolean().meta({
      description: 'The user must set up a second factor before they work here: the role or the account needs one.',
    }),
  })
  .meta({
    id: 'PortalSession',
    examples: [
      {
        user: { id: 'usr_AaH8KwlxavakGwZZljrhYw', email: 'ann@corner.example', name: 'Ann Lee', isOperator: false },
        accounts: [
          {
            accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
            tradingName: 'The Corner Table',
            environment: 'sandbox',
            role: 'support',
          },
        ],
        expiresAt: '2026-03-02T00:00:00.000Z',
        isReauthenticated: true,
        isSecondFactorMissing: false,
      },
    ],
  });
export type PortalSession = z.output<typeof PortalSession>;

/** What the user can give as a second factor. */
export const SecondFactorMethods = z.object({ passkey: z.boolean(), code: z.boolean(), recoveryCode: z.boolean() });

const password = text({ min: 1, max: 200 });
const shared = { tag: 'Portal', permission: null, version: 'none', idempotency: 'none' } as const;
const SESSION_REFUSALS = ['portal_session_missing', 'cross_site_request'] as const;
const CHANGED_REFUSALS = ['portal_session_missing', 'password_change_needed', 'cross_site_request'] as const;

export const signIn = {
  ...shared,
  id: 'signIn',
  method: 'POST',
  path: '/portal/session',
  summary: 'Sign in to the portal',
  description:
    'The answer sets the cookie of the session, or that of a sign-in which waits for a second factor: see completeSignIn.',
  body: z
    .object({ email: text({ min: 1, max: 254 }), password })
    .meta({ id: 'SignIn', examples: [{ email: 'ann@corner.example', password: 'correct horse battery' }] }),
  returns: z
    .union([PortalSession, z.object({ secondFactor: SecondFactorMethods })])
    .meta({ id: 'SignInAnswer', examples: [{ secondFactor: { passkey: true, code: true, recoveryCode: true } }] }),
  refusals: ['sign_in_refused', 'cross_site_request', 'password_sign_in_off'],
} as const satisfies Operation;

export const readPortalSession = {
  ...shared,
  id: 'readPortalSession',
  method: 'GET',
  path: '/portal/session',
  summary: 'Read who is signed in, and where they may work',
  returns: PortalSession,
  refusals: SESSION_REFUSALS,
} as const satisfies Operation;

export const signOut = {
  ...shared,
  id: 'signOut',
  method: 'DELETE',
  path: '/portal/session',
  summary: 'Sign out',
  returns: null,
  refusals: SESSION_REFUSALS,
} as const satisfies Operation;

export const signOutEverywhere = {
  ...shared,
  id: 'signOutEverywhere',
  method: 'DELETE',
  path: '/portal/sessions',
  summary: 'End all sessions of the user',
  returns: null,
  refusals: SESSION_REFUSALS,
} as const satisfies Operation;

export const choosePortalAccount = {
  ...shared,
  id: 'choosePortalAccount',
  method: 'PUT',
  path: '/portal/session/account',
  summary: 'Choose the account and environment to work in',
  body: z.object({ accountId: text({ min: 1, max: 100 }), environment: z.enum(ENVIRONMENTS) }).meta({
    id: 'PortalAccountChoice',
    examples: [{ accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA', environment: 'sandbox' }],
  }),
  returns: PortalSession,
  refusals: CHANGED_REFUSALS,
} as const satisfies Operation;

export const reauthenticate = {
  ...shared,
  id: 'reauthenticate',
  method: 'POST',
  path: '/portal/session/reauthenticate',
  summary: 'Enter the password again, or give a second factor in its place',
  description: 'Keys, refunds and reversals need it within the last five minutes. The body has one of the members.',
  body: z
    .object({
      password: password.optional(),
      code: z
        .string()
        .regex(/^\d{6}$/, 'Must be six digits.')
        .optional()
        .describe('A one-time code of the app.'),
      passkey: SignedChallenge.optional().describe('The signed challenge of createReauthenticationOptions.'),
    })
    .meta({ id: 'Reauthentication', examples: [{ password: 'correct horse battery' }] }),
  returns: null,
  refusals: [
    ...CHANGED_REFUSALS,
    'sign_in_refused',
    'second_factor_refused',
    'password_sign_in_off',
    'password_locked',
  ],
} as const satisfies Operation;

export const readSignInOptions = {
  ...shared,
  id: 'readSignInOptions',
  method: 'GET',
  path: '/portal/sign-in-options',
  summary: 'Read how users may sign in',
  returns: z
    .object({
      hasProvider: z.boolean().meta({ description: 'Also by the identity provider of the operator.' }),
      acceptsPasswords: z.boolean(),
      passkeyOrigin: z
        .string()
        .optional()
        .meta({ description: 'The origin whose pages can sign in by a passkey alone; absent where none can.' }),
    })
    .meta({
      id: 'SignInOptions',
      examples: [{ hasProvider: true, acceptsPasswords: true, passkeyOrigin: 'https://portal.example' }],
    }),
  refusals: [],
} as const satisfies Operation;

/** Where a browser begins to sign in by the identity provider, and where the provider leads it back. */
export const OIDC_START_PATH = '/portal/oidc/start';
export const OIDC_CALLBACK_PATH = '/portal/oidc/callback';
/** The member of the address of the sign-in page that says why the identity provider's answer was refused. */
export const SIGN_IN_PROBLEM = 'signIn';
const SIGN_IN_PROBLEMS = ['failed', 'notAllowed', 'tooMany'] as const;
/** The value of that member when the provider has led back and a second factor is to be given. */
export const SIGN_IN_SECOND_FACTOR = 'secondFactor';
/** Begins at the provider again for a session that is open, in place of the password. */
export const OIDC_REAUTHENTICATION = 'reauthenticate';
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number];
