import { Secret } from '../config/secret.js';
import type { ServiceApp, InternalApp } from '../internal/internal-callers.js';
import { type InternalChannel, InternalIdentity } from '../internal/internal-identity.js';

/** The channel by which an app without a certificate calls another one on loopback; `key` is that one's. */
export function createTestChannel(
  caller: ServiceApp,
  { app, address, key }: { readonly app: InternalApp; readonly address: string; readonly key: string | null },
): InternalChannel {
  const log = { info: () => undefined, warn: () => undefined };
  const identity = new InternalIdentity(caller, { INTERNAL_TLS_BY_MESH: false, TLS_RELOAD_MS: 60_000 }, log);
  const target = { app, address, addressSetting: 'the address', key: key === null ? null : new Secret(key) };
  return identity.createChannel(target);
}
