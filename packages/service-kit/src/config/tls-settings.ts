import { z } from 'zod';
import { millisecondsSetting } from './config.js';

/** The names of the settings that hold the paths. Without `cert` and `key` there are only authorities to trust. */
export interface TlsSettingNames {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

/** The path of a PEM file. The file itself is read by `openTlsFiles`, together with the files that belong to it. */
export function tlsFileSetting() {
  return z.string().min(1).optional();
}

/** How often an app looks for replaced certificates. */
export function tlsReloadSetting() {
  return millisecondsSetting(10_000).describe(
    'How often the files of `..._TLS_...` settings are read again. New connections use a replaced certificate; a file that cannot be used changes nothing.',
  );
}

/** The certificate of an app's HTTP port. */
export function httpTlsSettings() {
  return {
    HTTP_TLS_CERT: tlsFileSetting().describe(
      'PEM file with the certificate of the HTTP port and those that lead to its authority. Without it the port is not encrypted, which off loopback needs `TRUSTED_PROXIES`.',
    ),
    HTTP_TLS_KEY: tlsFileSetting().describe('PEM file with the private key of `HTTP_TLS_CERT`.'),
  };
}

/** The certificate of a public gRPC port. */
export function grpcTlsSettings() {
  return {
    GRPC_TLS_CERT: tlsFileSetting().describe(
      'PEM file with the certificate of the gRPC port and those that lead to its authority. Without it the port is not encrypted, which off loopback needs `TRUSTED_PROXIES`.',
    ),
    GRPC_TLS_KEY: tlsFileSetting().describe('PEM file with the private key of `GRPC_TLS_CERT`.'),
    GRPC_TLS_CA: tlsFileSetting().describe(
      'PEM file with the authorities of the clients of the gRPC port. When set, a client without a certificate of theirs is refused.',
    ),
  };
}

/** The identity of an app that calls other apps. */
export function internalTlsSettings() {
  const { INTERNAL_TLS_CERT, INTERNAL_TLS_KEY, INTERNAL_TLS_CA } = requiredInternalTlsSettings();
  const optional = (setting: z.ZodString) => setting.optional().describe(setting.description ?? '');
  return {
    INTERNAL_TLS_CERT: optional(INTERNAL_TLS_CERT),
    INTERNAL_TLS_KEY: optional(INTERNAL_TLS_KEY),
    INTERNAL_TLS_CA: optional(INTERNAL_TLS_CA),
  };
}

/** The identity of an app that other apps call. */
export function requiredInternalTlsSettings() {
  const file = z.string().min(1);
  return {
    INTERNAL_TLS_CERT: file.describe(
      "PEM file with this app's certificate for calls between the apps, as server and as client. Its subject alternative name is the DNS name of the app, such as `api`. Without it no internal port accepts a call.",
    ),
    INTERNAL_TLS_KEY: file.describe('PEM file with the private key of `INTERNAL_TLS_CERT`.'),
    INTERNAL_TLS_CA: file.describe("PEM file with the authorities of the other apps' certificates."),
  };
}

export const HTTP_TLS = { cert: 'HTTP_TLS_CERT', key: 'HTTP_TLS_KEY' } as const;
export const GRPC_TLS = { cert: 'GRPC_TLS_CERT', key: 'GRPC_TLS_KEY', ca: 'GRPC_TLS_CA' } as const;
export const INTERNAL_TLS = { cert: 'INTERNAL_TLS_CERT', key: 'INTERNAL_TLS_KEY', ca: 'INTERNAL_TLS_CA' } as const;
