import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  settings: 'Agreed settings',
  intro:
    'Settings that all processes must have alike. A process with another value does not start. They are changed with a deployment, by pos-admin agreed-settings.',
  refusedTitle: 'Processes that did not start',
  refusedText: '{app} has {own}, and the other processes have {value}.',
  setting: 'Setting',
  value: 'Value',
  next: 'Next value',
  app: 'First app, since',
  state: 'State',
  agreed: 'All agree',
  changing: 'Is being changed',
  disagrees: '{apps} disagrees',
  at: 'When',
  noneTitle: 'No process has started yet',
  noneText: 'The first process that starts stores its values.',
} as const;

export const AGREED_SETTING_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    settings: 'Gemeinsame Einstellungen',
    intro:
      'Einstellungen, die alle Prozesse gleich haben müssen. Ein Prozess mit einem anderen Wert startet nicht. Sie werden beim Ausrollen mit pos-admin agreed-settings geändert.',
    refusedTitle: 'Prozesse, die nicht gestartet sind',
    refusedText: '{app} hat {own}, die anderen Prozesse haben {value}.',
    setting: 'Einstellung',
    value: 'Wert',
    next: 'Nächster Wert',
    app: 'Erste App, seit',
    state: 'Zustand',
    agreed: 'Alle gleich',
    changing: 'Wird geändert',
    disagrees: '{apps} weicht ab',
    at: 'Wann',
    noneTitle: 'Noch ist kein Prozess gestartet',
    noneText: 'Der erste Prozess, der startet, speichert seine Werte.',
  },
};
