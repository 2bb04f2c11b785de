import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  stepTitle: 'Confirm that it is you',
  stepText: 'Your password alone is not enough here.',
  usePasskey: 'Use a passkey',
  signInByPasskey: 'Sign in with a passkey',
  code: 'One-time code',
  codeHint: 'Six digits from your app.',
  recoveryCode: 'Recovery code',
  useRecoveryCode: 'Use a recovery code',
  useCode: 'Use a one-time code',
  confirm: 'Confirm',
  back: 'Begin again',
  refused: 'This was not accepted. Use your passkey, the next code of your app, or another recovery code.',
  expired: 'The sign-in took too long. Begin again.',
  notGiven: 'No passkey was given. Try again, or use another way.',
  confirmByProvider: 'Confirm with your organisation, then repeat the action',
  gateTitle: 'Set up a second factor',
  gateText: 'Your role, or the account, needs more than a password. Add a passkey or one-time codes to continue.',
} as const;

type Key = keyof typeof en;

/** The texts of the second step of a sign-in. */
export const FACTOR_MESSAGES: MessageCatalogue<Key> = {
  en,
  de: {
    stepTitle: 'Bestätigen Sie, dass Sie es sind',
    stepText: 'Ihr Passwort allein genügt hier nicht.',
    usePasskey: 'Passkey verwenden',
    signInByPasskey: 'Mit einem Passkey anmelden',
    code: 'Einmalcode',
    codeHint: 'Sechs Ziffern aus Ihrer App.',
    recoveryCode: 'Wiederherstellungscode',
    useRecoveryCode: 'Wiederherstellungscode verwenden',
    useCode: 'Einmalcode verwenden',
    confirm: 'Bestätigen',
    back: 'Von vorn beginnen',
    refused:
      'Das wurde nicht angenommen. Nehmen Sie Ihren Passkey, den nächsten Code Ihrer App oder einen anderen Wiederherstellungscode.',
    expired: 'Die Anmeldung hat zu lange gedauert. Beginnen Sie erneut.',
    notGiven: 'Es wurde kein Passkey gegeben. Versuchen Sie es erneut oder auf einem anderen Weg.',
    confirmByProvider: 'Bei Ihrer Organisation bestätigen, dann die Aktion wiederholen',
    gateTitle: 'Zweiten Faktor einrichten',
    gateText:
      'Ihre Rolle oder das Konto verlangt mehr als ein Passwort. Fügen Sie einen Passkey oder Einmalcodes hinzu, um weiterzuarbeiten.',
  },
};
