import type { ChannelCredentials } from '@grpc/grpc-js';
import {
  type AcquirerConnection,
  type AcquirerSettings,
  readAcquirerConnections,
} from '../config/acquirer-settings.js';
import { openTlsFiles, type TlsFiles } from '../network/tls-files.js';
import type { Log } from '../telemetry/log.js';
import { chooseChannelCredentials } from './grpc-encryption.js';

/** An acquirer, and the credentials of connections to it. */
export interface AcquirerChannelTarget extends Pick<
  AcquirerConnection,
  'environment' | 'name' | 'address' | 'credential'
> {
  readonly tls: ChannelCredentials;
}

/** What a process needs to call its acquirers. */
export interface AcquirerChannels {
  readonly targets: readonly AcquirerChannelTarget[];
  /** Ends the reading of the TLS files. */
  readonly close: () => void;
}

/**
 * Opens the TLS files of every acquirer of the settings, and follows their changes until `close`. Throws `ConfigError` for a
 * setting that is wrong, and for an acquirer off loopback without TLS: its calls carry card numbers.
 */
export function openAcquirerChannels(
  settings: Partial<AcquirerSettings> & { readonly TLS_RELOAD_MS?: number },
  log: Log,
): AcquirerChannels {
  const opened: TlsFiles[] = [];
  const { TLS_RELOAD_MS: reloadMs } = settings;
  const targets = readAcquirerConnections(settings).map((connection): AcquirerChannelTarget => {
    const { environment, name, address, addressSetting, tlsNames, tlsPaths, credential } = connection;
    const tls = openTlsFiles(tlsNames, tlsPaths, { log, ...(reloadMs !== undefined && { reloadMs }) });
    if (tls !== null) opened.push(tls);
    const rule = { tls, isEncryptedElsewhere: false, tlsSetting: tlsNames.ca };
    return {
      environment,
      name,
      address,
      credential,
      tls: chooseChannelCredentials({ ...rule, address, addressSetting }),
    };
  });
  return {
    targets,
    close: () => {
      for (const files of opened) files.close();
    },
  };
}
