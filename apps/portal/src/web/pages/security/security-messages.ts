import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  passkeys: 'Passkeys',
  passkeysText:
    'A passkey is stored in your device, your password manager or a security key, and asks for your fingerprint, face or PIN. It works on this portal only, so no other site can ask for it.',
  noPasskeys: 'You have no passkey.',
  notOffered: 'This portal has no address that passkeys could be bound to. Use one-time codes.',
  addPasskey: 'Add a passkey',
  passkeyName: 'Name of the device',
  added: 'Added',
  lastUse: 'Last use',
  never: 'Never',
  remove: 'Remove',
  removeOf: 'Remove the passkey {name}',
  removeText: 'You cannot sign in with it any more.',
  codes: 'One-time codes',
  codesText: 'An app on your phone shows a new code of six digits every 30 seconds.',
  codesSince: 'Set up on {date}.',
  setUpCodes: 'Set up one-time codes',
  replaceCodes: 'Replace the app',
  removeCodes: 'Remove one-time codes',
  scan: 'Scan this code with your app, or enter the text below it. Then enter the code that the app shows.',
  qrCode: 'QR code of the secret',
  code: 'Code of the app',
  confirm: 'Confirm',
  recovery: 'Recovery codes',
  recoveryText: 'Each signs you in once in place of your second factor. Codes left: {count}.',
  renew: 'Create new recovery codes',
  newCodes: 'Your recovery codes',
  newCodesText:
    'They are shown now and never again. Keep them where your phone and your laptop are not: on paper, or in a safe.',
  passkeyFailed: 'The browser has created no passkey. Try again.',
  cancel: 'Cancel',
} as const;

type Key = keyof typeof en;

export const SECURITY_MESSAGES: MessageCatalogue<Key> = {
  en,
  de: {
    passkeys: 'Passkeys',
    passkeysText:
      'Ein Passkey liegt in Ihrem Gerät, Ihrem Passwortmanager oder einem Sicherheitsschlüssel und fragt nach Fingerabdruck, Gesicht oder PIN. Er gilt nur für dieses Portal, also kann keine andere Seite danach fragen.',
    noPasskeys: 'Sie haben keinen Passkey.',
    notOffered: 'Dieses Portal hat keine Adresse, an die Passkeys gebunden werden könnten. Nehmen Sie Einmalcodes.',
    addPasskey: 'Passkey hinzufügen',
    passkeyName: 'Name des Geräts',
    added: 'Hinzugefügt',
    lastUse: 'Letzte Verwendung',
    never: 'Nie',
    remove: 'Entfernen',
    removeOf: 'Passkey {name} entfernen',
    removeText: 'Sie können sich damit nicht mehr anmelden.',
    codes: 'Einmalcodes',
    codesText: 'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code aus sechs Ziffern.',
    codesSince: 'Eingerichtet am {date}.',
    setUpCodes: 'Einmalcodes einrichten',
    replaceCodes: 'App ersetzen',
    removeCodes: 'Einmalcodes entfernen',
    scan: 'Lesen Sie diesen Code mit Ihrer App, oder geben Sie den Text darunter ein. Geben Sie dann den Code ein, den die App zeigt.',
    qrCode: 'QR-Code des Geheimnisses',
    code: 'Code der App',
    confirm: 'Bestätigen',
    recovery: 'Wiederherstellungscodes',
    recoveryText: 'Jeder meldet Sie einmal anstelle Ihres zweiten Faktors an. Noch übrig: {count}.',
    renew: 'Neue Wiederherstellungscodes erstellen',
    newCodes: 'Ihre Wiederherstellungscodes',
    newCodesText:
      'Sie werden jetzt gezeigt und nie wieder. Verwahren Sie sie getrennt von Telefon und Laptop: auf Papier oder in einem Tresor.',
    passkeyFailed: 'Der Browser hat keinen Passkey erstellt. Versuchen Sie es erneut.',
    cancel: 'Abbrechen',
  },
};
