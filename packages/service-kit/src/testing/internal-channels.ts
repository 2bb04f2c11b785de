import { getInternalTls } from './internal-certificates.js';
import type { InternalApp, ServiceApp } from '../internal/internal-callers.js';
import { type InternalChannel, InternalIdentity } from '../internal/internal-identity.js';

const log = { info: () => undefined, warn: () => undefined };
const identities = new Map<ServiceApp, InternalIdentity>();

/** The channel by which an app with its certificate of tests calls another one. */
export function createTestChannel(
  caller: ServiceApp,
  { app, address }: { readonly app: InternalApp; readonly address: string },
): InternalChannel {
  const identity =
    identities.get(caller) ??
    new InternalIdentity({ ...getInternalTls(caller), TLS_RELOAD_MS: 60_000, NODE_ENV: 'test' }, log);
  identities.set(caller, identity);
  return identity.createChannel({ app, address, addressSetting: 'the address' });
}
