import type { MailResult, MailPort } from '@pos/payments/receipts';
import type { Secret } from '@pos/service-kit/config';
import type { Mail } from '@pos/store/repositories';
import { createTransport } from 'nodemailer';
import { parseMailServer } from '../config/mail-server.js';

/** Their sum is below the shortest recommended lease of a timer, so two workers never send the same mail. */
const CONNECT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 15_000;

/** What a mailer needs. */
interface SmtpMailerOptions {
  readonly url: Secret;
  /** An address, with or without a name. */
  readonly from: string;
  /** The authority of the server's certificate in PEM; null: those of Node. */
  readonly certificateAuthority: string | null;
}

/**
 * The configured mail server. Off loopback each connection is encrypted and the server's certificate verified, or nothing
 * is sent, the password included.
 */
export class SmtpMailer implements MailPort {
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #from: string;
  readonly #host: string;

  constructor({ url, from, certificateAuthority }: SmtpMailerOptions) {
    const { host, port, isSecure, needsStartTls, login } = parseMailServer(url.reveal());
    this.#transport = createTransport({
      // Not as `url`: its parameters would win over the options here.
      ...{ host, secure: isSecure, requireTLS: needsStartTls },
      ...(port !== undefined && { port }),
      ...(login !== undefined && { auth: login }),
      tls: { rejectUnauthorized: true, ...(certificateAuthority !== null && { ca: certificateAuthority }) },
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      // The mailer loads nothing from files or addresses: a mail has only its stored content.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    this.#from = from;
    this.#host = from.replace(/^.*@/s, '').replace(/>.*$/s, '');
  }

  async send({ id, recipient, subject, text, html }: Mail): Promise<MailResult> {
    try {
      await this.#transport.sendMail({
        from: this.#from,
        // An object, because text would be parsed as a list of addresses.
        to: { name: '', address: recipient },
        ...{ subject, text, html },
        messageId: `<${id}@${this.#host}>`,
      });
      return { outcome: 'taken' };
    } catch (error) {
      return toMailResult(error);
    }
  }

  close(): void {
    this.#transport.close();
  }
}

/** Stores only the server's code, because its text may contain the recipient. */
function toMailResult(error: unknown): MailResult {
  const { responseCode, code } = new SmtpErrorFields(error);
  if (responseCode === null) return { outcome: 'unanswered', reason: code ?? 'no answer' };
  // A refused login or change to TLS is an error of the configuration, not of the mail.
  if (code === 'ETLS') return { outcome: 'unanswered', reason: `ETLS, answered ${responseCode}` };
  const isFinal = responseCode >= 500 && code !== 'EAUTH';
  return { outcome: isFinal ? 'refused' : 'unanswered', reason: `answered ${responseCode}` };
}

class SmtpErrorFields {
  readonly responseCode: number | null;
  readonly code: string | null;

  constructor(error: unknown) {
    const fields: object = typeof error === 'object' && error !== null ? error : {};
    this.responseCode =
      'responseCode' in fields && typeof fields.responseCode === 'number' ? fields.responseCode : null;
    this.code = 'code' in fields && typeof fields.code === 'string' ? fields.code : null;
  }
}
