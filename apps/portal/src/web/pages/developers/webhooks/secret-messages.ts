import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  secrets: 'Signing secrets',
  secretsText:
    'To replace a secret without a gap: add a second one, let your server accept both, let the new one sign, delete the old one.',
  add: 'Add a secret',
  id: 'Secret',
  lastUsed: 'Last used',
  never: 'never',
  signs: 'Signs',
  waits: 'Does not sign',
  state: 'State',
  show: 'Show',
  hide: 'Hide',
  standard: 'For libraries of standard-webhooks:',
  activate: 'Let it sign',
  remove: 'Delete',
  removeTitle: 'Delete the secret?',
  removeText:
    'Your server must not need it any more: attempts that it signed may still be on their way for some seconds.',
  keep: 'Keep it',
} as const;

export const SECRET_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    secrets: 'Signaturgeheimnisse',
    secretsText:
      'So ersetzen Sie ein Geheimnis ohne Lücke: ein zweites hinzufügen, den Server beide annehmen lassen, das neue signieren lassen, das alte löschen.',
    add: 'Geheimnis hinzufügen',
    id: 'Geheimnis',
    lastUsed: 'Zuletzt benutzt',
    never: 'nie',
    signs: 'Signiert',
    waits: 'Signiert nicht',
    state: 'Zustand',
    show: 'Zeigen',
    hide: 'Verbergen',
    standard: 'Für Bibliotheken von standard-webhooks:',
    activate: 'Signieren lassen',
    remove: 'Löschen',
    removeTitle: 'Geheimnis löschen?',
    removeText:
      'Ihr Server darf es nicht mehr brauchen: Versuche, die damit signiert sind, können noch einige Sekunden unterwegs sein.',
    keep: 'Behalten',
  },
};
