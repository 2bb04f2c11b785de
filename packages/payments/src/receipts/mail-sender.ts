import { DAY_MS, HOUR_MS } from '@pos/core/time';
import { computeNextAttemptAt, EVENTS_KEPT_MS } from '@pos/core/webhooks';
import type { Database } from '@pos/store/database';
import { findMail, type Mail, updateMail } from '@pos/store/repositories';
import type { ClaimedTimer, TimerQueue } from '@pos/store/queues';

/** The mail server's answer to a mail. A mail that is refused for good is not sent again. */
export type MailResult =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'refused' | 'unanswered'; readonly reason: string };

/** Sends to a mail server; the same mail has the same message id every time. Never rejects. */
export interface MailPort {
  send(mail: Mail): Promise<MailResult>;
}

interface MailSenderOptions {
  readonly database: Database;
  readonly queue: TimerQueue;
  readonly mailer: MailPort;
  /** Called with each mail that is given up, without its recipient. */
  readonly onGivenUp: (mail: { readonly id: string; readonly attempts: number; readonly reason: string }) => void;
}

/** The middle of the jitter: neither early nor late. */
const JITTER = 0.5;

/**
 * Sends a mail that is due, at least once: if the process stops between the server's acceptance and our commit, the
 * mail is sent again under the same message id. It is tried as often and as long as a webhook, and then given up.
 */
export async function sendDueMail(
  { database, queue, mailer, onGivenUp }: MailSenderOptions,
  claimed: ClaimedTimer,
): Promise<void> {
  const mail = await database.read(claimed.scope, (reader) => findMail(reader, claimed.subject));
  const mailResult = mail?.state === 'Waiting' ? await mailer.send(mail) : null;
  await database.transact(claimed.scope, async (tx) => {
    if (mail === null || mailResult === null) return queue.complete(tx, claimed, null);
    if (mailResult.outcome === 'taken') {
      await updateMail(tx, mail.id, { state: 'Sent', attempts: mail.attempts, lastError: null });
      return queue.complete(tx, claimed, null);
    }
    const attempts = mail.attempts + 1;
    const failedAt = tx.databaseNow;
    const retryAt =
      mailResult.outcome === 'refused' ? null : computeNextAttemptAt({ attempts, failedAt, jitter: JITTER, scale: 1 });
    const { reason } = mailResult;
    await updateMail(tx, mail.id, { state: retryAt === null ? 'GivenUp' : 'Waiting', attempts, lastError: reason });
    if (retryAt === null) onGivenUp({ id: mail.id, attempts, reason });
    return queue.complete(tx, claimed, retryAt === null ? null : { inMs: retryAt.getTime() - failedAt.getTime() });
  });
}

const POSTPONE_FIRST_MS = 60_000;
const POSTPONE_MAX_MS = HOUR_MS;
/** After this time without a mail server a notice about a sign-in helps nobody, and a receipt is as old as its events. */
const NOTICE_WAITS_MS = DAY_MS;
const RECEIPT_WAITS_MS = EVENTS_KEPT_MS;

/**
 * Postpones a mail that is due at a worker without a mail server, so that it is no overdue deadline. A worker with a
 * server sends it when it is due again. A mail that has waited for too long is given up.
 */
export async function postponeDueMail(
  { database, queue, onGivenUp }: Omit<MailSenderOptions, 'mailer'>,
  claimed: ClaimedTimer,
): Promise<void> {
  await database.transact(claimed.scope, async (tx) => {
    const mail = await findMail(tx, claimed.subject);
    if (mail?.state !== 'Waiting') return queue.complete(tx, claimed, null);
    const { id, attempts, paymentIntentId, createdAt } = mail;
    const waitsMs = paymentIntentId === null ? NOTICE_WAITS_MS : RECEIPT_WAITS_MS;
    if (tx.now.getTime() - createdAt.getTime() >= waitsMs) {
      const reason = 'no mail server is configured';
      await updateMail(tx, id, { state: 'GivenUp', attempts, lastError: reason });
      onGivenUp({ id, attempts, reason });
      return queue.complete(tx, claimed, null);
    }
    // Another worker may have a server, and a notice is about something that somebody may have to stop.
    const maxMs = paymentIntentId === null ? POSTPONE_FIRST_MS : POSTPONE_MAX_MS;
    const inMs = Math.min(POSTPONE_FIRST_MS * 2 ** (claimed.attempts - 1), maxMs);
    return queue.complete(tx, claimed, { inMs, isRepeat: true });
  });
}
