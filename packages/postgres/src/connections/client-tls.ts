import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { WrongSetting } from '@pos/core/refusals';

/** How a connection verifies the server. `require` encrypts, and verifies only where an authority is given. */
const TLS_MODES = ['require', 'verify-ca', 'verify-full'] as const;

/** TLS to the database, and the PEM files that it needs. */
export interface ClientTls {
  readonly mode: (typeof TLS_MODES)[number];
  /** The authorities that may sign the server's certificate; null: those of Node. */
  readonly rootFile: string | null;
  /** The client's own certificate with its key, or neither. */
  readonly certificateFile: string | null;
  readonly keyFile: string | null;
}

/** The parameters of a `DATABASE_URL` that are about TLS. */
export const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;

const CERTIFICATE = '-----BEGIN CERTIFICATE-----';
const PRIVATE_KEY = /-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/;

/** TLS as the parameters of a `DATABASE_URL` choose it; null for none. Throws WrongSetting that names the parameter. */
export function parseClientTls(parameters: ReadonlyMap<string, string>): ClientTls | null {
  const text = parameters.get('sslmode') ?? 'disable';
  const mode = TLS_MODES.find((each) => each === text);
  if (mode === undefined && text !== 'disable') {
    throw createUrlError(`sslmode: is none of disable, ${TLS_MODES.join(', ')}`);
  }
  const [, ...fileParameters] = TLS_PARAMETERS;
  const given = fileParameters.find((name) => parameters.has(name));
  if (mode === undefined) {
    if (given !== undefined) throw createUrlError(`${given}: needs sslmode=verify-full, verify-ca or require`);
    return null;
  }
  const root = parameters.get('sslrootcert') ?? null;
  const certificateFile = parameters.get('sslcert') ?? null;
  const keyFile = parameters.get('sslkey') ?? null;
  if ((certificateFile === null) !== (keyFile === null)) {
    throw createUrlError(`${certificateFile === null ? 'sslcert' : 'sslkey'}: must be given with the other of the two`);
  }
  const tls: ClientTls = { mode, rootFile: root === 'system' ? null : root, certificateFile, keyFile };
  // The files are checked at the start, when somebody looks.
  readTlsOptions(tls);
  return tls;
}

/** The options of a TLS connection, from the files as they are now. Throws WrongSetting for a file that is no PEM. */
export function readTlsOptions({ mode, rootFile, certificateFile, keyFile }: ClientTls): ConnectionOptions {
  const ca = rootFile === null ? null : readPem('sslrootcert', rootFile, (text) => text.includes(CERTIFICATE));
  const isVerified = mode !== 'require' || ca !== null;
  return {
    rejectUnauthorized: isVerified,
    ...(ca !== null && { ca }),
    ...(certificateFile !== null && {
      cert: readPem('sslcert', certificateFile, (text) => text.includes(CERTIFICATE)),
    }),
    ...(keyFile !== null && { key: readPem('sslkey', keyFile, (text) => PRIVATE_KEY.test(text)) }),
    // The name in the certificate counts in the strictest mode only, as in libpq.
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function readPem(parameter: string, file: string, isPem: (text: string) => boolean): string {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw createUrlError(`${parameter}: names a file that cannot be read`);
  }
  if (!isPem(text)) {
    throw createUrlError(
      `${parameter}: names a file without a ${parameter === 'sslkey' ? 'private key' : 'certificate'} in PEM`,
    );
  }
  return text;
}

/** A problem of one part of `DATABASE_URL`. */
export function createUrlError(problem: string): WrongSetting {
  return new WrongSetting([`DATABASE_URL: ${problem}`]);
}
