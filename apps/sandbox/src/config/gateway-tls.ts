import type { GatewayTransport } from '@pos/sandbox/connections';
import { ConfigError } from '@pos/service-kit/config';
import { chooseChannelCredentials } from '@pos/service-kit/grpc';
import { isLoopbackAddress, openTlsFiles, type TlsFiles } from '@pos/service-kit/network';
import type { Log } from '@pos/service-kit/telemetry';
import type { SandboxConfig } from './sandbox-config.js';

const GATEWAY_TLS = { cert: 'GATEWAY_TLS_CERT', key: 'GATEWAY_TLS_KEY', ca: 'GATEWAY_TLS_CA' } as const;

/** The encryption of everything that dials the gateways. */
export class GatewayTls implements GatewayTransport {
  readonly #tls: TlsFiles | null;

  /** Throws `ConfigError` for files that cannot be used, and for a gateway off loopback without authorities. */
  constructor(config: SandboxConfig, log: Log) {
    this.#tls = openTlsFiles(GATEWAY_TLS, config, { log, reloadMs: config.TLS_RELOAD_MS });
    for (const address of config.GATEWAY_ADDRESSES) this.createCredentials(address);
    if (this.#tls === null && !config.GATEWAY_HTTP_ADDRESSES.every(isLoopbackAddress)) {
      throw new ConfigError(['GATEWAY_TLS_CA: is not set, and GATEWAY_HTTP_ADDRESSES is not a loopback address']);
    }
  }

  /** The scheme of the sockets that EPOSes open. */
  get socketScheme(): 'ws' | 'wss' {
    return this.#tls === null ? 'ws' : 'wss';
  }

  readonly createCredentials: GatewayTransport['createCredentials'] = (address) =>
    chooseChannelCredentials({
      ...{ address, addressSetting: 'GATEWAY_ADDRESSES', tls: this.#tls, tlsSetting: 'GATEWAY_TLS_CA' },
      isEncryptedElsewhere: false,
    });

  readonly readSocketOptions: GatewayTransport['readSocketOptions'] = () => this.#tls?.secureContext ?? {};

  close(): void {
    this.#tls?.close();
  }
}
