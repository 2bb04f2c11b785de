import { type ChannelCredentials, credentials, ServerCredentials } from '@grpc/grpc-js';
import { assert } from '@pos/core/refusals';
import { ConfigError } from '../config/config.js';
import { isLoopback } from '../network/internet-address.js';
import { isLoopbackAddress } from '../network/port-encryption.js';
import type { TlsFiles } from '../network/tls-files.js';
import { createChannelCredentials, createServerCredentials } from './grpc-credentials.js';

/** Where a connection may be plain text off loopback, and the settings that a refusal names. */
interface PlaintextRule {
  readonly tls: TlsFiles | null;
  /** Something else encrypts: a proxy before a public port, or a service mesh between the apps. */
  readonly isEncryptedElsewhere: boolean;
  /** The setting that would encrypt. */
  readonly tlsSetting: string;
}

/** The credentials of a gRPC port. Throws `ConfigError` for a port in plain text that other machines can reach. */
export function chooseServerCredentials({
  host,
  hostSetting,
  ...rule
}: PlaintextRule & { readonly host: string; readonly hostSetting: string }): ServerCredentials {
  if (rule.tls !== null) return createServerCredentials(rule.tls);
  if (!isLoopback(host) && !rule.isEncryptedElsewhere) {
    throw new ConfigError([`${rule.tlsSetting}: is not set, and ${hostSetting} is not a loopback address`]);
  }
  return ServerCredentials.createInsecure();
}

/** The credentials of a gRPC client. Throws `ConfigError` for an address off loopback that it would call in plain text. */
export function chooseChannelCredentials({
  address,
  addressSetting,
  ...rule
}: PlaintextRule & { readonly address: string; readonly addressSetting: string }): ChannelCredentials {
  if (rule.tls !== null) return createChannelCredentials(rule.tls);
  if (!isLoopbackAddress(address) && !rule.isEncryptedElsewhere) {
    throw new ConfigError([`${rule.tlsSetting}: is not set, and ${addressSetting} is not a loopback address`]);
  }
  return credentials.createInsecure();
}

/** The credentials of a port that only this machine reaches, without TLS. */
export function createLoopbackServerCredentials(host: string): ServerCredentials {
  assert(isLoopback(host), `${host} is not a loopback address`);
  return ServerCredentials.createInsecure();
}

/** The credentials of a client of such a port at `host:port`. */
export function createLoopbackChannelCredentials(address: string): ChannelCredentials {
  assert(isLoopbackAddress(address), `${address} is not a loopback address`);
  return credentials.createInsecure();
}
