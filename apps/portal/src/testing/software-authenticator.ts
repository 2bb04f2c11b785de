import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** The options of the portal, as far as an authenticator reads them. */
export interface PasskeyOptions {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
}

/** What a test changes of an otherwise correct answer. */
export interface AnswerChanges {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly isUserVerified?: boolean;
  readonly counter?: number;
}

const FLAGS = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 };
const AAGUID_BYTES = 16;

/** One passkey in software: an ECDSA key on P-256. It answers as a browser with an authenticator does (WebAuthn 3). */
export class SoftwareAuthenticator {
  readonly #id = randomBytes(32);
  readonly #key: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  #counter = 0;

  constructor(readonly origin: string) {
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  get credentialId(): string {
    return this.#id.toString('base64url');
  }

  /** The answer to the options of a registration. */
  create(options: PasskeyOptions, changes: AnswerChanges = {}) {
    const clientData = this.#formatClientData('webauthn.create', options, changes);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const attested = Buffer.concat([Buffer.alloc(AAGUID_BYTES), length, this.#id, this.#encodeKey()]);
    const authData = Buffer.concat([this.#formatData(options, changes, FLAGS.attested), attested]);
    const attestation = new Map<string, string | Map<string, never> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', new Uint8Array(authData)],
    ]);
    const attestationObject = Buffer.from(isoCBOR.encode(attestation)).toString('base64url');
    return this.#format({
      clientDataJSON: clientData.toString('base64url'),
      ...{ attestationObject, transports: ['internal'] },
    });
  }

  /** The answer to the options of a sign-in. */
  sign(options: PasskeyOptions, changes: AnswerChanges = {}) {
    const clientData = this.#formatClientData('webauthn.get', options, changes);
    const authData = this.#formatData(options, changes, 0);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#format({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#key.privateKey).toString('base64url'),
    });
  }

  #format<R extends object>(response: R) {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #formatClientData(expected: string, options: PasskeyOptions, changes: AnswerChanges): Buffer {
    const { origin = this.origin, challenge = options.challenge, type = expected } = changes;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #formatData({ rp, rpId }: PasskeyOptions, changes: AnswerChanges, flags: number): Buffer {
    const { counter = (this.#counter += 1), isUserVerified = true } = changes;
    const hash = createHash('sha256')
      .update(changes.rpId ?? rp?.id ?? rpId ?? '')
      .digest();
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags | FLAGS.userPresent | (isUserVerified ? FLAGS.userVerified : 0), 0);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([hash, tail]);
  }

  /** COSE: EC2, ES256, P-256. */
  #encodeKey(): Buffer {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    const decode = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'));
    const key = new Map<number, number | Uint8Array>([[1, 2], [3, -7], [-1, 1], [-2, decode(x)], [-3, decode(y)]]); // oxfmt-ignore
    return Buffer.from(isoCBOR.encode(key));
  }
}
