import type { Passkey } from '@pos/store/portal';
import {
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

/** The portal as passkeys know it. */
export interface RelyingParty {
  /** The domain that passkeys are bound to. */
  readonly id: string;
  /** Of the only pages that may use them. */
  readonly origin: string;
}

/** What authenticators show beside the user. */
const NAME = 'Payments portal';
const TIMEOUT_MS = 300_000;
/** Each passkey verifies its user, by a PIN or biometrics, so that it is two factors by itself. */
const USER_VERIFICATION = 'required';

/** The relying party of a portal at this address; null where browsers offer no passkeys: an IP address, or plain HTTP. */
export function findRelyingParty(portalUrl: string | undefined): RelyingParty | null {
  if (portalUrl === undefined) return null;
  const { hostname: id, origin, protocol } = new URL(portalUrl);
  const isName = /^[a-z0-9.-]*[a-z][a-z0-9.-]*$/i.test(id);
  return isName && (protocol === 'https:' || id === 'localhost') ? { id, origin } : null;
}

/** What a browser creates a passkey with. The browser refuses an authenticator that has one of `existing`. */
export function createRegistrationOptions(
  party: RelyingParty,
  user: { readonly id: string; readonly email: string; readonly name: string },
  existing: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    ...{ rpID: party.id, rpName: NAME, timeout: TIMEOUT_MS, attestationType: 'none' },
    ...{ userID: new Uint8Array(Buffer.from(user.id)), userName: user.email, userDisplayName: user.name },
    excludeCredentials: existing.map(describeCredential),
    authenticatorSelection: { residentKey: 'preferred', userVerification: USER_VERIFICATION },
  });
}

/** What a browser signs in with; without passkeys the user chooses one. */
export function createAuthenticationOptions(
  party: RelyingParty,
  passkeys: readonly Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    ...{ rpID: party.id, timeout: TIMEOUT_MS, userVerification: USER_VERIFICATION },
    allowCredentials: passkeys.map(describeCredential),
  });
}

interface Credential {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
}

/** What a browser signed with a passkey, in the JSON form of WebAuthn. */
export interface SignedChallenge extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | undefined;
  };
}

/** A passkey that a browser has created, in the same form. */
export interface CreatedPasskey extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
}

/** A passkey that was just created. */
export type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

/**
 * The passkey that a browser has created; null when the answer is not of this challenge, origin and relying party, or the
 * user was not verified.
 */
export async function verifyRegistration(
  party: RelyingParty,
  challenge: string,
  { response: { clientDataJSON, attestationObject, transports: sent = [] }, ...credential }: CreatedPasskey,
): Promise<NewPasskey | null> {
  const transports = sent.filter(isTransport);
  const response = {
    ...credential,
    response: { clientDataJSON, attestationObject, transports },
    clientExtensionResults: {},
  };
  const verified = await verifyRegistrationResponse({
    ...{ response, expectedChallenge: challenge, expectedOrigin: party.origin, expectedRPID: party.id },
    requireUserVerification: true,
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports };
}

/**
 * The new counter of the passkey; null when the answer is not signed by it, is not of this challenge, origin and relying
 * party, does not count on, or the user was not verified.
 */
export async function verifyAuthentication(
  party: RelyingParty,
  { challenge, passkey }: { readonly challenge: string; readonly passkey: Passkey },
  { response: { clientDataJSON, authenticatorData, signature }, ...signed }: SignedChallenge,
): Promise<number | null> {
  const response = {
    ...signed,
    response: { clientDataJSON, authenticatorData, signature },
    clientExtensionResults: {},
  };
  const { credentialId: id, publicKey, counter } = passkey;
  const verified = await verifyAuthenticationResponse({
    ...{ response, expectedChallenge: challenge, expectedOrigin: party.origin, expectedRPID: party.id },
    credential: { id, publicKey: new Uint8Array(publicKey), counter },
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}

function describeCredential({ credentialId: id, transports }: Passkey) {
  return { id, transports: transports.filter(isTransport) };
}

/** How a browser may reach a passkey. Others are hints that the library does not know, so they are left out. */
const TRANSPORTS: Readonly<Record<AuthenticatorTransport, true>> = {
  ...{ ble: true, cable: true, hybrid: true, internal: true, nfc: true, 'smart-card': true, usb: true },
};

function isTransport(text: string): text is AuthenticatorTransport {
  return Object.hasOwn(TRANSPORTS, text);
}
