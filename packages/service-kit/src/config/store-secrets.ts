import type { Secret } from './secret.js';

/** The settings of every app that opens the database. */
interface SecretSettings {
  readonly ENCRYPTION_KEY: Secret;
  readonly ENCRYPTION_KEY_ACCEPTED?: Secret | undefined;
  readonly KEY_PEPPER: Secret;
  readonly KEY_PEPPER_ACCEPTED?: Secret | undefined;
}

/** The secrets of an app's settings, in the form that opening the database needs. */
export function readStoreSecrets(settings: SecretSettings): {
  readonly encryptionKey: Buffer;
  readonly acceptedEncryptionKey: Buffer | null;
  readonly pepper: string;
  readonly acceptedPepper: string | null;
} {
  const { ENCRYPTION_KEY_ACCEPTED: acceptedKey, KEY_PEPPER_ACCEPTED: acceptedPepper } = settings;
  return {
    encryptionKey: decodeKey(settings.ENCRYPTION_KEY),
    acceptedEncryptionKey: acceptedKey === undefined ? null : decodeKey(acceptedKey),
    pepper: settings.KEY_PEPPER.reveal(),
    acceptedPepper: acceptedPepper?.reveal() ?? null,
  };
}

function decodeKey(key: Secret): Buffer {
  return Buffer.from(key.reveal(), 'base64');
}
