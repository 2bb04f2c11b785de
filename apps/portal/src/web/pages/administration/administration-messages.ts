import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  account: 'Account',
  allAccounts: 'All accounts',
  chooseAccount: 'Choose an account',
  environment: 'Environment',
  sandbox: 'Sandbox',
  production: 'Production',
  reason: 'Reason',
  reasonHint: 'It is stored in the audit log, with your name.',
  cancel: 'Not now',
  limited: 'There are more. The oldest are shown.',
  reload: 'Reload',
  service: 'The service itself',
  none: '–',
} as const;

/** What several pages of operators say. */
export const ADMINISTRATION_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    account: 'Konto',
    allAccounts: 'Alle Konten',
    chooseAccount: 'Konto wählen',
    environment: 'Umgebung',
    sandbox: 'Sandbox',
    production: 'Produktion',
    reason: 'Grund',
    reasonHint: 'Er steht danach mit Ihrem Namen im Prüfprotokoll.',
    cancel: 'Jetzt nicht',
    limited: 'Es gibt weitere. Gezeigt werden die ältesten.',
    reload: 'Neu laden',
    service: 'Der Dienst selbst',
    none: '–',
  },
};
