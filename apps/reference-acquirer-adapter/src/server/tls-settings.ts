import { ConfigError } from '@pos/service-kit/config';
import { openTlsFiles, type TlsFiles } from '@pos/service-kit/network';
import type { Log } from '@pos/service-kit/telemetry';

interface TlsSettings {
  readonly GRPC_TLS_CERT?: string | undefined;
  readonly GRPC_TLS_KEY?: string | undefined;
  readonly GRPC_TLS_CA?: string | undefined;
  readonly TLS_RELOAD_MS: number;
}

/**
 * Opens the certificate of the gRPC port and follows its changes, so that a replaced one needs no restart. Null: without
 * TLS. With `GRPC_TLS_CA` callers must show a certificate of these authorities. Throws ConfigError.
 */
export function openGrpcTls(settings: TlsSettings, log: Pick<Log, 'info' | 'warn'>): TlsFiles | null {
  const names = { cert: 'GRPC_TLS_CERT', key: 'GRPC_TLS_KEY', ca: 'GRPC_TLS_CA' };
  const { GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key, GRPC_TLS_CA: ca } = settings;
  const isAuthorityAlone = ca !== undefined && cert === undefined && key === undefined;
  if (isAuthorityAlone) throw new ConfigError(['GRPC_TLS_CERT: is not set, and GRPC_TLS_CA is']);
  return openTlsFiles(names, settings, { log, reloadMs: settings.TLS_RELOAD_MS });
}
