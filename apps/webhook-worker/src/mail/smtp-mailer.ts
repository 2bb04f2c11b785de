import type { MailResult, MailPort } from '@pos/payments/receipts/mail-sender';
import type { Secret } from '@pos/service-kit/config/secret';
import type { Mail } from '@pos/store/repositories/mails';
import { createTransport } from 'nodemailer';

/** Together below the shortest lease that a timer should have, so that one mail is never sent by two workers. */
const CONNECT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 15_000;

/** The configured mail server. `from` is an address, with or without a name. */
export class SmtpMailer implements MailPort {
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #from: string;
  readonly #host: string;

  constructor({ url, from }: { readonly url: Secret; readonly from: string }) {
    this.#transport = createTransport({
      url: url.reveal(),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      // Nothing of a mail is fetched from anywhere: what it holds is what was stored.
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
        // As an object: text would be read as a list.
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

/** A server's own words may name the recipient: only its code is kept. */
function toMailResult(error: unknown): MailResult {
  const { responseCode, code } = new SmtpErrorFields(error);
  if (responseCode === null) return { outcome: 'unanswered', reason: code ?? 'no answer' };
  // A wrong login is the operator's mistake and no verdict on the mail.
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
