import {
  type ChannelCredentials,
  type ClientOptions,
  credentials as channelCredentials,
  type ServerCredentials,
} from '@grpc/grpc-js';
import { ConfigError } from '../config/config.js';
import { INTERNAL_TLS } from '../config/tls-settings.js';
import { observeClientCalls } from '../grpc/grpc-client-telemetry.js';
import { createChannelCredentials, createServerCredentials } from '../grpc/grpc-credentials.js';
import { isLoopbackAddress } from '../network/port-encryption.js';
import { openTlsFiles, type TlsFiles } from '../network/tls-files.js';
import type { Log } from '../telemetry/log.js';
import type { InternalApp } from './internal-callers.js';

/** The settings of an app that takes part in internal calls. */
interface InternalSettings {
  readonly INTERNAL_TLS_CERT?: string | undefined;
  readonly INTERNAL_TLS_KEY?: string | undefined;
  readonly INTERNAL_TLS_CA?: string | undefined;
  readonly TLS_RELOAD_MS: number;
  readonly NODE_ENV: string;
}

/** Another app, and how to reach it. */
interface InternalTarget {
  readonly app: InternalApp;
  /** `host:port`. */
  readonly address: string;
  /** The setting that the address comes from. */
  readonly addressSetting: string;
}

/** The arguments of a generated client for internal calls. */
export interface InternalChannel {
  readonly credentials: ChannelCredentials;
  readonly options: ClientOptions;
}

/** This app towards the other apps: its certificate as a server and as a client, and the authority that it trusts. */
export class InternalIdentity {
  readonly #tls: TlsFiles | null;
  readonly #isInProduction: boolean;

  /** Throws `ConfigError` for files that cannot be used, or that lack the authorities. */
  constructor(settings: InternalSettings, log: Pick<Log, 'info' | 'warn'>) {
    requireAllFiles(settings);
    this.#tls = openTlsFiles(INTERNAL_TLS, settings, { log, reloadMs: settings.TLS_RELOAD_MS });
    this.#isInProduction = settings.NODE_ENV === 'production';
  }

  /** The port refuses each client without a certificate of the authority. Throws `ConfigError` without a certificate. */
  createServerCredentials(): ServerCredentials {
    if (this.#tls === null) throw new ConfigError(['INTERNAL_TLS_CERT: is not set, and the internal port needs it']);
    return createServerCredentials(this.#tls);
  }

  /**
   * Throws `ConfigError` without a certificate in production, and for an address of another machine. Elsewhere a process
   * without one starts, so that a developer can run it alone; each internal port refuses its connections.
   */
  createChannel({ app, address, addressSetting }: InternalTarget): InternalChannel {
    if (this.#tls === null && (this.#isInProduction || !isLoopbackAddress(address))) {
      throw new ConfigError([`INTERNAL_TLS_CERT: is not set, and calls to ${addressSetting} need it`]);
    }
    const credentials = this.#tls === null ? channelCredentials.createSsl() : createChannelCredentials(this.#tls);
    // The certificate of an app has its name, and not the addresses that it is reached at.
    return { credentials, options: { interceptors: [observeClientCalls], 'grpc.ssl_target_name_override': app } };
  }

  close(): void {
    this.#tls?.close();
  }
}

/** Both ends of an internal call verify each other, so a certificate without authorities is of no use. */
function requireAllFiles({ INTERNAL_TLS_CERT: cert, INTERNAL_TLS_CA: ca }: InternalSettings): void {
  if (cert !== undefined && ca === undefined) {
    throw new ConfigError(['INTERNAL_TLS_CA: is not set, and INTERNAL_TLS_CERT is']);
  }
  if (cert === undefined && ca !== undefined) {
    throw new ConfigError(['INTERNAL_TLS_CERT: is not set, and INTERNAL_TLS_CA is']);
  }
}
