import { readFileSync } from 'node:fs';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, defineToken, provide } from '@pos/service-kit/nest';
import type { Config } from '../config/config.js';
import { SmtpMailer } from './smtp-mailer.js';

/** The mail server; null where none is configured: mails are postponed then, and a worker that has one sends them. */
export const MAILER = defineToken<SmtpMailer | null>('MAILER');

const MAILER_PROVIDER = provide(MAILER, { config: CONFIG }, ({ config }): SmtpMailer | null => {
  const { SMTP_URL: url, SMTP_CA_FILE: file, MAIL_FROM: from }: Config = config;
  if (url === undefined) return null;
  return new SmtpMailer({ url, from, certificateAuthority: file === undefined ? null : readFileSync(file, 'utf8') });
});

/** Receipts by mail. */
@Module({ providers: [MAILER_PROVIDER], exports: [MAILER] })
export class MailModule implements OnApplicationShutdown {
  constructor(@Inject(MAILER) private readonly mailer: SmtpMailer | null) {}

  onApplicationShutdown(): void {
    this.mailer?.close();
  }
}
