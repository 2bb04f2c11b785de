import { isLoopback } from '@pos/service-kit/network';

/** The mail server of `SMTP_URL`. */
export interface MailServer {
  readonly host: string;
  /** Undefined: 465 with TLS from the first byte, otherwise 587. */
  readonly port: number | undefined;
  /** Whether TLS begins with the first byte. */
  readonly isSecure: boolean;
  /** Whether the connection must change to TLS (STARTTLS) before anything is sent. */
  readonly needsStartTls: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
}

/**
 * Reads `smtps://user:password@host:port` or `smtp://`. Throws for everything else, and for parameters: the mailer would
 * take them as options, some of which switch encryption off.
 */
export function parseMailServer(text: string): MailServer {
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const isSecure = protocol === 'smtps:';
  if (!isSecure && protocol !== 'smtp:') throw new Error('the scheme is neither smtp nor smtps');
  if (hostname === '') throw new Error('the host is missing');
  if (`${pathname}${search}${hash}`.replace(/^\/$/, '') !== '') throw new Error('a path or parameters follow the host');
  const host = decodeURIComponent(hostname)
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
  return {
    ...{ host, port: port === '' ? undefined : Number(port), isSecure },
    needsStartTls: !isSecure && !isLoopback(host),
    login: username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
  };
}

/** Whether `parseMailServer` reads a text. */
export function isMailServer(text: string): boolean {
  try {
    parseMailServer(text);
    return true;
  } catch {
    return false;
  }
}
