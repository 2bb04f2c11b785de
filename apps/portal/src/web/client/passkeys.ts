import type { SentBodyOf } from '@pos/rest-contracts/operation';
import type { addPasskey, completeSignIn } from '@pos/rest-contracts/portal';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

interface Options {
  readonly options: Readonly<Record<string, unknown>>;
}

type SignedChallenge = NonNullable<SentBodyOf<typeof completeSignIn>['passkey']>;
type CreatedPasskey = SentBodyOf<typeof addPasskey>['passkey'];

/** The browser has no passkey for this, or the user has ended its dialog. */
export class PasskeyNotGiven extends Error {
  override readonly name = 'PasskeyNotGiven';
}

/** Whether pages of this address can use passkeys, which are bound to one origin: 127.0.0.1 is not `localhost`. */
export function offersPasskeysHere(options: { readonly passkeyOrigin?: string | undefined } | undefined): boolean {
  return options?.passkeyOrigin === window.location.origin;
}

// Loaded when it is needed: most visits need no passkey.
const load = () => import('@simplewebauthn/browser');

/** Has a passkey sign the challenge of the options. */
export async function signWithPasskey({ options }: Options): Promise<SignedChallenge> {
  const { startAuthentication } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON }).catch(refuse);
  const { clientDataJSON, authenticatorData, signature } = response;
  return { ...{ id, rawId, type }, response: { clientDataJSON, authenticatorData, signature } };
}

/** Has the browser create a passkey with the options. */
export async function createPasskey({ options }: Options): Promise<CreatedPasskey> {
  const { startRegistration } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, type, response } = await startRegistration({ optionsJSON }).catch(refuse);
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { ...{ id, rawId, type }, response: { clientDataJSON, attestationObject, transports } };
}

function refuse(error: unknown): never {
  throw new PasskeyNotGiven(error instanceof Error ? error.message : '');
}
