import {
  certificateFileSetting,
  millisecondsSetting,
  requireHttpsInProduction,
  toSecret,
} from '@pos/service-kit/config';
import { z } from 'zod';
import { readVaultKeys } from './vault-keys.js';

function keyListSetting() {
  return z
    .string()
    .refine((text) => readVaultKeys(text) !== null, {
      error: 'is not a list of id:base64 with 32 bytes each and every id once',
    })
    .transform(toSecret)
    .optional();
}

/** Where the master keys of stored card numbers are. */
export function masterKeySettings() {
  return {
    VAULT_KEYS: keyListSetting().describe(
      'Master keys of stored card numbers, `id:base64` with 32 bytes each, comma-separated. The first seals, unless a key service does; the others only open. Only this app has them. It may be left out where `KEY_SERVICE_URL` is set.',
    ),
    VAULT_KEYS_SECOND: keyListSetting().describe(
      'The second components of keys of `VAULT_KEYS`, in the same form: the key is the exclusive or of its components. For split knowledge another person keeps it than `VAULT_KEYS`.',
    ),
    VAULT_KEYS_THIRD: keyListSetting().describe('The third components, in the same way.'),
    VAULT_KEY_COMPONENTS: z.coerce
      .number()
      .int()
      .min(1)
      .max(3)
      .default(1)
      .describe('How many components each key of `VAULT_KEYS` has at least. With less the vault does not start.'),
    KEY_SERVICE_URL: requireHttpsInProduction(
      z.url({ protocol: /^https?$/, error: 'is not an http:// or https:// address' }).optional(),
    ).describe(
      'The key service that keeps master keys outside of this app: OpenBao or HashiCorp Vault with the Transit engine, or its agent on loopback. When not set, `VAULT_KEYS` are the only master keys.',
    ),
    KEY_SERVICE_MOUNT: z
      .string()
      .regex(/^[\w-]+(\/[\w-]+)*$/, { error: 'is not a path of letters, digits, - and _' })
      .default('transit')
      .describe('The path of the Transit engine.'),
    KEY_SERVICE_KEY: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,128}$/, { error: 'is not 1 to 128 letters, digits or ._-' })
      .default('card-numbers')
      .describe('The name of the key in the Transit engine that seals.'),
    KEY_SERVICE_SEALS: z
      .enum(['true', 'false'])
      .default('true')
      .transform((text) => text === 'true')
      .describe(
        'Whether the key service seals new numbers. `false` only opens what it has sealed: for the first step of a move to it, and for a move back to `VAULT_KEYS`.',
      ),
    KEY_SERVICE_TOKEN_PATH: z
      .string()
      .optional()
      .describe(
        'The file with the token of the key service, which an agent keeps valid. It is read at the start, and again when the service refuses the token. Needed with `KEY_SERVICE_URL`.',
      ),
    KEY_SERVICE_NAMESPACE: z
      .string()
      .regex(/^[\w/-]{1,200}$/, { error: 'is not 1 to 200 letters, digits or _/-' })
      .optional()
      .describe('The namespace of the Transit engine, where there are namespaces.'),
    KEY_SERVICE_CA_FILE: certificateFileSetting()
      .optional()
      .describe(
        'The certificates of the authorities that may sign for the key service; well-known ones when left out.',
      ),
    KEY_SERVICE_TIMEOUT_MS: millisecondsSetting(2_000).describe(
      'How long one call to the key service may take; then the request that needs it is refused with 503 and nothing was done.',
    ),
  };
}
