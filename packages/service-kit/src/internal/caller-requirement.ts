import { Refusal } from '@pos/core/refusals';
import type { PeerCertificate } from 'node:tls';
import type { Log } from '../telemetry/log.js';
import { type Callers, listCallers, SERVICE_APPS, type ServiceApp } from './internal-callers.js';

/** What is read of an incoming call. */
export interface IncomingInternalCall {
  getPath(): string;
  getPeer(): string;
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate };
}

/**
 * The apps that the client certificate of a call names. Throws a `Refusal` for a call without a certificate, and for one
 * whose apps may not call the rpc. TLS has verified the certificate.
 */
export function requireCaller(call: IncomingInternalCall, log: Pick<Log, 'warn'>): Callers {
  const path = call.getPath();
  try {
    const { sslPeerCertificate: certificate } = call.getAuthContext();
    if (certificate === undefined) throw new Refusal('unauthenticated', 'the connection has no client certificate');
    return requirePermittedCaller(readCertificateNames(certificate), path);
  } catch (error) {
    if (error instanceof Refusal) {
      log.warn('internal.caller_refused', { rpc: path, peer: call.getPeer(), reason: error.detail });
    }
    throw error;
  }
}

/**
 * The apps among the DNS names of a certificate. Node writes a name with special characters in quotes; such a certificate
 * was not made for an app, and a quoted name could contain the text of another one.
 */
function readCertificateNames({ subjectaltname: text = '' }: PeerCertificate): ServiceApp[] {
  if (text.includes('"')) return [];
  const names = new Set(text.split(', '));
  return SERVICE_APPS.filter((app) => names.has(`DNS:${app}`));
}

function requirePermittedCaller(names: Callers, path: string): Callers {
  const permitted = listCallers(path);
  if (names.some((name) => permitted.includes(name))) return names;
  const callers = permitted.join(', ');
  if (names.length === 0) {
    const detail = `the client certificate has the DNS name of no app; ${path} is for ${callers}`;
    throw new Refusal('permission_missing', detail);
  }
  throw new Refusal('permission_missing', `${names.join(', ')} may not call ${path}, which is for ${callers}`);
}
