import type { Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { ServerOptions } from 'node:https';
import { assert } from '@pos/core/refusals';
import type { TlsFiles } from '../network/tls-files.js';

/** How long the handshake of a connection may take; Node would allow two minutes. */
const HANDSHAKE_TIMEOUT_MS = 30_000;

/** The options of an HTTPS server with the certificate of these files. */
export function createHttpsOptions(tls: TlsFiles): ServerOptions {
  return { ...tls.secureContext, handshakeTimeout: HANDSHAKE_TIMEOUT_MS };
}

/** Lets connections that open after a change of the files use the new certificate. */
export function followCertificate(server: Server, tls: TlsFiles): void {
  assert(server instanceof TlsServer, 'the server has no TLS');
  tls.onChange(() => {
    server.setSecureContext(tls.secureContext);
  });
}

/** Whether a connection failed before its first request, in the handshake. No answer can be read there. */
export function isTlsError(error: NodeJS.ErrnoException): boolean {
  return 'library' in error || error.code?.startsWith('ERR_SSL') === true || error.code?.startsWith('ERR_TLS') === true;
}
