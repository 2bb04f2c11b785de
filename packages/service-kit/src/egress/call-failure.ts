import type { UnreachableReason } from '@pos/core/webhooks';
import { NO_PUBLIC_ADDRESS } from './name-resolver.js';

/** Why a call had no answer. */
export interface EgressFailure {
  readonly reason: UnreachableReason;
  /** Contains no address and no secret; safe for the owner of the URL. */
  readonly detail: string;
  /** What the owner of the receiver has to correct; null where the reason says all. */
  readonly cause: string | null;
}

/** Reads the error of a call that was made. */
export function classifyFailure(error: unknown): EgressFailure {
  const code = readErrorCode(error);
  if (code === 'ENOTFOUND') return { reason: 'dns', detail: NO_PUBLIC_ADDRESS, cause: null };
  const refusal = CONNECTION_CAUSES[code];
  if (refusal !== undefined) return { reason: 'refused', ...refusal };
  const cause = CERTIFICATE_CAUSES[code] ?? findHandshakeCause(code);
  if (cause !== null) return { reason: 'tls', detail: `no trusted TLS connection: ${cause} (${code})`, cause };
  return { reason: 'reset', detail: `the connection broke (${code})`, cause: null };
}

/** Why no connection was opened, for logs and for the owner of the receiver. */
const CONNECTION_CAUSES: Readonly<Partial<Record<string, Pick<EgressFailure, 'detail' | 'cause'>>>> = {
  UND_ERR_CONNECT_TIMEOUT: { detail: 'no connection in time', cause: 'it accepted none in time' },
  ETIMEDOUT: { detail: 'no connection (ETIMEDOUT)', cause: 'it accepted none in time' },
  ECONNREFUSED: { detail: 'no connection (ECONNREFUSED)', cause: 'nothing listens at its port' },
  EHOSTUNREACH: { detail: 'no connection (EHOSTUNREACH)', cause: 'its address cannot be reached' },
  ENETUNREACH: { detail: 'no connection (ENETUNREACH)', cause: 'its address cannot be reached' },
  EADDRNOTAVAIL: { detail: 'no connection (EADDRNOTAVAIL)', cause: 'its address cannot be reached' },
};

const UNKNOWN_AUTHORITY =
  'its certificate is from an authority that the service does not trust, or an intermediate certificate is not sent';

/** The errors of OpenSSL's verification, by what the owner of the receiver has to correct. */
const CERTIFICATE_CAUSES: Readonly<Partial<Record<string, string>>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  HOSTNAME_MISMATCH: 'its certificate is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is from an authority that the service does not trust',
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: 'the signature of its certificate is wrong',
  CERT_CHAIN_TOO_LONG: 'its chain of certificates is too long',
  INVALID_PURPOSE: 'its certificate is not one of a server',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on this port, or an unsupported version',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS on this port, or an unsupported version',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'it supports no version of TLS from 1.2 on',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'it supports no version of TLS from 1.2 on',
  ERR_SSL_EE_KEY_TOO_SMALL: 'the key of its certificate is too short',
};

/** Other errors of a certificate or a handshake; null for a failure of another kind. */
function findHandshakeCause(code: string): string | null {
  if (/CERT|SIGNATURE|ISSUER|CRL/.test(code)) return 'its certificate is refused';
  return /SSL|TLS|EPROTO/.test(code) ? 'the TLS handshake failed' : null;
}

function readErrorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0)
    return readErrorCode(error.errors[0]);
  return 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
}
