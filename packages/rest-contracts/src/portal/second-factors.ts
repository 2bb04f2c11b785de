import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { freeText } from '../shapes/free-text.js';
import { Moment, text } from '../shapes/shapes.js';
import { CreatedPasskey, SignedChallenge } from './passkey-shapes.js';
import { PortalSession, SecondFactorMethods } from './portal-session.js';

const oneTimeCode = z.string().regex(/^\d{6}$/, 'Must be six digits.');
const EXAMPLE_CODE = '492039';

/** Options for a browser, in the JSON form of WebAuthn. */
const PasskeyOptions = z
  .object({ options: z.record(z.string(), z.unknown()).describe('For the call of the browser, as it is.') })
  .meta({ id: 'PasskeyOptions', examples: [{ options: { challenge: 'p0wqJZ9vR1o', rpId: 'portal.example' } }] });

const RecoveryCodes = z.array(z.string()).describe('Recovery codes. Only this answer contains them.');
const NewFactor = z
  .object({ recoveryCodes: RecoveryCodes.optional() })
  .meta({ id: 'NewSecondFactor', examples: [{ recoveryCodes: ['k7m2p-x9a4c-qw3nd-8trve'] }] });

const shared = { tag: 'Portal', permission: null, version: 'none', idempotency: 'none' } as const;
const SIGN_IN_REFUSALS = ['cross_site_request', 'sign_in_expired'] as const;
const SESSION_REFUSALS = ['portal_session_missing', 'cross_site_request'] as const;
const CHANGE_REFUSALS = [...SESSION_REFUSALS, 'reauthentication_needed', 'second_factor_missing'] as const;

export const readSignInStep = {
  ...shared,
  id: 'readSignInStep',
  method: 'GET',
  path: '/portal/session/second-factor',
  summary: 'Read which second factors the sign-in of this browser waits for',
  returns: z
    .object({ secondFactor: SecondFactorMethods })
    .meta({ id: 'SignInStep', examples: [{ secondFactor: { passkey: true, code: true, recoveryCode: true } }] }),
  refusals: SIGN_IN_REFUSALS,
} as const satisfies Operation;

export const createSignInOptions = {
  ...shared,
  id: 'createSignInOptions',
  method: 'POST',
  path: '/portal/session/second-factor/options',
  summary: 'Create the challenge that a passkey signs as the second factor',
  description: 'Only the sign-in of this browser can answer it, once and within five minutes.',
  returns: PasskeyOptions,
  refusals: [...SIGN_IN_REFUSALS, 'second_factor_refused'],
} as const satisfies Operation;

export const beginPasskeySignIn = {
  ...shared,
  id: 'beginPasskeySignIn',
  method: 'POST',
  path: '/portal/session/passkey',
  summary: 'Begin to sign in by a passkey alone',
  description: 'The passkey verifies its user, so it is both factors. The answer sets the cookie of the sign-in.',
  returns: PasskeyOptions,
  refusals: ['cross_site_request', 'second_factor_refused'],
} as const satisfies Operation;

export const completeSignIn = {
  ...shared,
  id: 'completeSignIn',
  method: 'POST',
  path: '/portal/session/second-factor',
  summary: 'Give the second factor of a sign-in',
  description: 'The answer sets the cookie of the session. The body has one of the members.',
  body: z
    .object({
      passkey: SignedChallenge.optional(),
      code: oneTimeCode.optional().describe('A one-time code of the app.'),
      recoveryCode: text({ min: 1, max: 40 }).optional().describe('A recovery code that is not used.'),
    })
    .meta({ id: 'SecondFactorProof', examples: [{ code: EXAMPLE_CODE }] }),
  returns: PortalSession,
  refusals: [...SIGN_IN_REFUSALS, 'second_factor_refused', 'sign_in_refused'],
} as const satisfies Operation;

export const createReauthenticationOptions = {
  ...shared,
  id: 'createReauthenticationOptions',
  method: 'POST',
  path: '/portal/session/reauthenticate/options',
  summary: 'Create the challenge that a passkey signs in place of the password',
  returns: PasskeyOptions,
  refusals: [...SESSION_REFUSALS, 'second_factor_refused'],
} as const satisfies Operation;

export const readSecondFactors = {
  ...shared,
  id: 'readSecondFactors',
  method: 'GET',
  path: '/portal/second-factors',
  summary: 'Read the second factors of the user',
  returns: z
    .object({
      passkeys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          createdAt: Moment,
          usedAt: Moment.optional().describe('Absent before the first use.'),
        }),
      ),
      codesSince: Moment.optional().describe('Since when the user has one-time codes; absent without them.'),
      recoveryCodesLeft: z.int(),
      passkeyOrigin: z.string().optional().describe('The origin whose pages can use passkeys; absent where none can.'),
      isNeeded: z.boolean().describe('The last factor cannot be removed: a role or an account needs one.'),
    })
    .meta({
      id: 'SecondFactors',
      examples: [
        {
          passkeys: [{ id: 'Xo4w', name: 'Laptop', createdAt: '2026-03-01T12:00:00.000Z' }],
          ...{ recoveryCodesLeft: 10, passkeyOrigin: 'https://portal.example', isNeeded: true },
        },
      ],
    }),
  refusals: SESSION_REFUSALS,
} as const satisfies Operation;

export const beginPasskey = {
  ...shared,
  id: 'beginPasskey',
  method: 'POST',
  path: '/portal/second-factors/passkeys/options',
  summary: 'Create the options that a browser creates a passkey with',
  returns: PasskeyOptions,
  refusals: [...CHANGE_REFUSALS, 'second_factor_refused', 'validation_failed'],
} as const satisfies Operation;

export const addPasskey = {
  ...shared,
  id: 'addPasskey',
  method: 'POST',
  path: '/portal/second-factors/passkeys',
  summary: 'Add a passkey',
  description: 'With the first factor come recovery codes, and the other sessions of the user end.',
  body: z
    .object({
      name: freeText({ min: 1, max: 100 }).describe('What the user calls the device.'),
      passkey: CreatedPasskey,
    })
    .meta({
      id: 'NewPasskey',
      examples: [
        {
          name: 'Laptop',
          passkey: {
            ...{ id: 'Xo4w', rawId: 'Xo4w', type: 'public-key', clientExtensionResults: {} },
            response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4', attestationObject: 'o2NmbXRkbm9uZQ' },
          },
        },
      ],
    }),
  returns: NewFactor,
  refusals: [...CHANGE_REFUSALS, 'second_factor_refused'],
} as const satisfies Operation;

export const removePasskey = {
  ...shared,
  id: 'removePasskey',
  method: 'DELETE',
  path: '/portal/second-factors/passkeys/{passkeyId}',
  summary: 'Remove a passkey',
  params: z.object({ passkeyId: z.string() }),
  returns: null,
  refusals: [...CHANGE_REFUSALS, 'passkey_not_found', 'second_factor_required'],
} as const satisfies Operation;

export const beginOneTimeCodes = {
  ...shared,
  id: 'beginOneTimeCodes',
  method: 'POST',
  path: '/portal/second-factors/codes/secret',
  summary: 'Create a secret for an app of one-time codes',
  description: 'It counts once a code of it was entered, within ten minutes.',
  returns: z
    .object({
      secret: z.string().describe('For apps without a camera. Only this answer contains it.'),
      uri: z.string().describe('What apps read from a QR code.'),
    })
    .meta({
      id: 'OneTimeCodeSecret',
      examples: [{ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Payments%20portal:ann?secret=JBSWY3DPEHPK3PXP' }],
    }),
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const addOneTimeCodes = {
  ...shared,
  id: 'addOneTimeCodes',
  method: 'POST',
  path: '/portal/second-factors/codes',
  summary: 'Enter the first one-time code, which sets them up',
  description: 'Replaces the previous secret. With the first factor come recovery codes, and other sessions end.',
  body: z.object({ code: oneTimeCode }).meta({ id: 'FirstOneTimeCode', examples: [{ code: EXAMPLE_CODE }] }),
  returns: NewFactor,
  refusals: [...CHANGE_REFUSALS, 'second_factor_refused'],
} as const satisfies Operation;

export const removeOneTimeCodes = {
  ...shared,
  id: 'removeOneTimeCodes',
  method: 'DELETE',
  path: '/portal/second-factors/codes',
  summary: 'Remove one-time codes',
  returns: null,
  refusals: [...CHANGE_REFUSALS, 'second_factor_required'],
} as const satisfies Operation;

export const renewRecoveryCodes = {
  ...shared,
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/portal/second-factors/recovery-codes',
  summary: 'Create recovery codes, which replace the previous ones',
  returns: z
    .object({ recoveryCodes: RecoveryCodes })
    .meta({ id: 'RecoveryCodes', examples: [{ recoveryCodes: ['k7m2p-x9a4c-qw3nd-8trve'] }] }),
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

/** The steps of a sign-in: they need its cookie, or none. */
export const SIGN_IN_STEP_OPERATIONS = [
  readSignInStep,
  createSignInOptions,
  beginPasskeySignIn,
  completeSignIn,
] as const satisfies readonly Operation[];

/** The second factors of the user of a session. */
export const SECOND_FACTOR_OPERATIONS = [
  createReauthenticationOptions,
  readSecondFactors,
  beginPasskey,
  addPasskey,
  removePasskey,
  beginOneTimeCodes,
  addOneTimeCodes,
  removeOneTimeCodes,
  renewRecoveryCodes,
] as const satisfies readonly Operation[];
