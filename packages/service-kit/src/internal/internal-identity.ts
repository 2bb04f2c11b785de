import {
  type ChannelCredentials,
  type ClientOptions,
  InterceptingCall,
  type Interceptor,
  type ServerCredentials,
} from '@grpc/grpc-js';
import { ConfigError } from '../config/config.js';
import type { Secret } from '../config/secret.js';
import { INTERNAL_TLS } from '../config/tls-settings.js';
import { observeClientCalls } from '../grpc/grpc-client-telemetry.js';
import { chooseChannelCredentials, chooseServerCredentials } from '../grpc/grpc-encryption.js';
import { openTlsFiles, type TlsFiles } from '../network/tls-files.js';
import type { Log } from '../telemetry/log.js';
import { formatCallerToken } from './caller-token.js';
import type { ServiceApp, InternalApp } from './internal-callers.js';
import { createNonce, formatSignature, SIGNATURE_METADATA } from './request-signature.js';

/** The settings of an app that takes part in internal calls. */
interface InternalSettings {
  readonly INTERNAL_TLS_CERT?: string | undefined;
  readonly INTERNAL_TLS_KEY?: string | undefined;
  readonly INTERNAL_TLS_CA?: string | undefined;
  readonly INTERNAL_TLS_BY_MESH: boolean;
  readonly TLS_RELOAD_MS: number;
}

/** Another app, and how to reach it. */
interface InternalTarget {
  readonly app: InternalApp;
  /** `host:port`. */
  readonly address: string;
  /** The setting that the address comes from. */
  readonly addressSetting: string;
  /** The key of the target's tokens; null where it has none. */
  readonly key: Secret | null;
}

/** The arguments of a generated client for internal calls. */
export interface InternalChannel {
  readonly credentials: ChannelCredentials;
  readonly options: ClientOptions;
}

/** This app towards the other apps: its certificate as a server and as a client, and the tokens that name it. */
export class InternalIdentity {
  readonly #tls: TlsFiles | null;
  readonly #isEncryptedElsewhere: boolean;

  /** Throws `ConfigError` for files that cannot be used, or that lack the authorities. */
  constructor(
    private readonly app: ServiceApp,
    settings: InternalSettings,
    log: Pick<Log, 'info' | 'warn'>,
  ) {
    requireAllFiles(settings);
    this.#tls = openTlsFiles(INTERNAL_TLS, settings, { log, reloadMs: settings.TLS_RELOAD_MS });
    this.#isEncryptedElsewhere = settings.INTERNAL_TLS_BY_MESH;
  }

  /** Throws `ConfigError` for a host off loopback without a certificate. */
  createServerCredentials(host: string): ServerCredentials {
    const tlsSetting = 'INTERNAL_TLS_CERT';
    return chooseServerCredentials({ ...this.#rule(tlsSetting), host, hostSetting: 'INTERNAL_HOST' });
  }

  /** Throws `ConfigError` for an address off loopback without authorities. */
  createChannel({ app: audience, address, addressSetting, key }: InternalTarget): InternalChannel {
    const credentials = chooseChannelCredentials({ ...this.#rule('INTERNAL_TLS_CA'), address, addressSetting });
    const { app: caller } = this;
    const tokens = key === null ? [] : [createTokenInterceptor(caller, { audience, key })];
    const interceptors = [observeClientCalls, ...tokens];
    // The certificate of an app has its name, and not the addresses that it is reached at.
    return { credentials, options: { interceptors, 'grpc.ssl_target_name_override': audience } };
  }

  close(): void {
    this.#tls?.close();
  }

  #rule(tlsSetting: string) {
    return { tls: this.#tls, isEncryptedElsewhere: this.#isEncryptedElsewhere, tlsSetting };
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

/**
 * Sends a new token and a signature of the message with each call. The signature needs the message, so the call starts
 * with it. All internal rpcs have one message; another one of a stream would have no signature.
 */
function createTokenInterceptor(
  caller: ServiceApp,
  { audience, key }: { readonly audience: InternalApp; readonly key: Secret },
): Interceptor {
  return (options, nextCall) => {
    const { path, requestSerialize } = options.method_definition;
    let start: ((message: unknown) => void) | null = null;
    return new InterceptingCall(nextCall(options), {
      start: (metadata, listener, next) => {
        start = (message) => {
          const subject = { caller, audience, path, issuedAtMs: Date.now() };
          const request = { ...subject, message: requestSerialize(message), nonce: createNonce() };
          metadata.set('authorization', formatCallerToken(subject, key));
          metadata.set(SIGNATURE_METADATA, formatSignature(request, key));
          next(metadata, listener);
        };
      },
      sendMessage: (message, next) => {
        start?.(message);
        start = null;
        next(message);
      },
    });
  };
}
