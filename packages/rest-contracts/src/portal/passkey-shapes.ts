import { z } from 'zod';
import { text } from '../shapes/shapes.js';

/** Longer than any credential id, key or signature that browsers send. */
const BYTES_MAX = 20_000;
const CREDENTIAL_ID_MAX = 1_400;
const bytes = text({ min: 1, max: BYTES_MAX });
const credentialId = text({ min: 1, max: CREDENTIAL_ID_MAX });
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/** A passkey that a browser has created: `RegistrationResponseJSON` of WebAuthn. */
export const CreatedPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z
      .array(text({ min: 1, max: 30 }))
      .max(10)
      .optional(),
  }),
});

/** What a browser signed with a passkey: `AuthenticationResponseJSON` of WebAuthn. */
export const SignedChallenge = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: text({ min: 1, max: 200 }).optional(),
  }),
});
