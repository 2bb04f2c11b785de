import { escapeHtml, type ReceiptMail } from './receipt-mail.js';

/** What a user of the portal is notified of by mail. */
export type PortalNotice =
  | { readonly kind: 'locked'; readonly untilAt: Date; readonly networkAddress: string | null }
  | { readonly kind: 'passwordChanged'; readonly at: Date; readonly networkAddress: string | null };

/**
 * The mail about a notice, in English and in German: the service does not know the language of a user. It has no link,
 * so that nobody gets used to one.
 */
export function createPortalMail(notice: PortalNotice): ReceiptMail {
  const { subject, english, german } = notice.kind === 'locked' ? writeLock(notice) : writeChange(notice);
  const lines = [...english, '', '---', '', ...german];
  const body = lines.map(escapeHtml).join('<br>\n');
  return {
    subject,
    text: `${lines.join('\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"></head><body>\n${body}\n</body></html>\n`,
  };
}

interface NoticeText {
  readonly subject: string;
  readonly english: readonly string[];
  readonly german: readonly string[];
}

function writeLock({ untilAt, networkAddress }: Extract<PortalNotice, { kind: 'locked' }>): NoticeText {
  const until = formatMoment(untilAt);
  const from = networkAddress === null ? ['', ''] : [` from ${networkAddress}`, ` von ${networkAddress}`];
  return {
    subject: 'Sign-in to the portal is locked / Anmeldung am Portal gesperrt',
    english: [
      `A wrong password was entered ten times for your user of the portal, the last time${from[0]}.`,
      `The sign-in is locked until ${until}. Browsers with which you have signed in before still work.`,
      'If it was not you, ask your operator to unlock you, and choose a new password.',
    ],
    german: [
      `Für Ihren Benutzer des Portals wurde zehnmal ein falsches Passwort eingegeben, zuletzt${from[1]}.`,
      `Die Anmeldung ist bis ${until} gesperrt. Browser, mit denen Sie sich schon angemeldet haben, gehen weiter.`,
      'Wenn Sie es nicht waren, bitten Sie Ihren Betreiber um die Freigabe, und wählen Sie ein neues Passwort.',
    ],
  };
}

function writeChange({ at, networkAddress }: Extract<PortalNotice, { kind: 'passwordChanged' }>): NoticeText {
  const when = formatMoment(at);
  const from = networkAddress === null ? ['', ''] : [` from ${networkAddress}`, ` von ${networkAddress}`];
  return {
    subject: 'Your password of the portal was changed / Ihr Passwort des Portals wurde geändert',
    english: [
      `The password of your user of the portal was changed on ${when}${from[0]}. All other sessions have ended.`,
      'If it was not you, ask your operator for a new password at once.',
    ],
    german: [
      `Das Passwort Ihres Benutzers des Portals wurde am ${when}${from[1]} geändert. Alle anderen Sitzungen sind beendet.`,
      'Wenn Sie es nicht waren, bitten Sie Ihren Betreiber sofort um ein neues Passwort.',
    ],
  };
}

function formatMoment(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
