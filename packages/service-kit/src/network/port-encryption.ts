import { ConfigError } from '../config/config.js';
import type { Log } from '../telemetry/log.js';
import { isLoopback } from './internet-address.js';
import { NetworkList } from './network-list.js';
import type { TlsSettingNames } from '../config/tls-settings.js';
import { openTlsFiles, type TlsFiles } from './tls-files.js';

/** How a public port is encrypted: by its own certificate, or by proxies in these networks, which alone may connect then. */
export interface PortEncryption {
  readonly tls: TlsFiles | null;
  readonly trustedProxies: readonly string[];
}

/** Reads how a public port is encrypted. Throws `ConfigError` for files that cannot be used. */
export function openPortEncryption(
  names: TlsSettingNames,
  config: { readonly TRUSTED_PROXIES: readonly string[]; readonly TLS_RELOAD_MS: number },
  log: Pick<Log, 'info' | 'warn'>,
): PortEncryption {
  const tls = openTlsFiles(names, config, { log, reloadMs: config.TLS_RELOAD_MS });
  return { tls, trustedProxies: config.TRUSTED_PROXIES };
}

/**
 * The networks that may connect to a public port; null where everybody may. A port without a certificate off loopback is
 * reached by the trusted proxies only, which encrypt in its place. Throws `ConfigError` for one without either.
 */
export function findAdmittedNetworks(
  { host, certSetting }: { readonly host: string; readonly certSetting: string },
  { tls, trustedProxies }: PortEncryption,
): NetworkList | null {
  if (tls !== null || isLoopback(host)) return null;
  if (trustedProxies.length > 0) return new NetworkList(trustedProxies);
  throw new ConfigError([
    `${certSetting}: is not set, HOST is not a loopback address, and TRUSTED_PROXIES names no proxy that encrypts in its place`,
  ]);
}

/**
 * Whether a client may connect to an address without encryption: only on this machine. `address` is `host:port`.
 */
export function isLoopbackAddress(address: string): boolean {
  return isLoopback(address.replace(/:\d+$/, ''));
}
