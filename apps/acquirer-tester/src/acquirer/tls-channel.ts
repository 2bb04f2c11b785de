import { type ChannelCredentials, credentials } from '@grpc/grpc-js';
import { UsageError } from '@pos/conformance/command';
import { ConfigError } from '@pos/service-kit/config';
import { chooseChannelCredentials } from '@pos/service-kit/grpc';
import { openTlsFiles, type TlsFiles } from '@pos/service-kit/network';

/** The files of a connection with TLS, by their arguments. Null: not given. */
export interface TlsPaths {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

/** The credentials of a connection with TLS. Files that are replaced during a run are used by its next connection. */
export interface TlsChannel {
  readonly credentials: ChannelCredentials;
  readonly close: () => void;
}

const ARGUMENTS = { ca: '--ca-file', cert: '--cert-file', key: '--key-file' } as const;

/** Opens the files. Without any the public authorities are trusted. Throws UsageError for files that cannot be used. */
export function openTlsChannel(paths: TlsPaths, address: string, reloadMs?: number): TlsChannel {
  const files = openFiles(paths, reloadMs);
  if (files === null) return { credentials: credentials.createSsl(), close: () => undefined };
  const names = { addressSetting: '--acquirer', tlsSetting: ARGUMENTS.ca };
  return {
    credentials: chooseChannelCredentials({ address, tls: files, ...names, isEncryptedElsewhere: false }),
    close: () => {
      files.close();
    },
  };
}

function openFiles(paths: TlsPaths, reloadMs?: number): TlsFiles | null {
  const given = (['ca', 'cert', 'key'] as const).flatMap((role) =>
    paths[role] === null ? [] : [[ARGUMENTS[role], paths[role]] as const],
  );
  const log = { info: () => undefined, warn: () => undefined };
  try {
    return openTlsFiles(ARGUMENTS, Object.fromEntries(given), { log, ...(reloadMs !== undefined && { reloadMs }) });
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}
