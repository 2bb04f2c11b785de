import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  profile: 'Your sign-in',
  intro:
    'Your password and second factors, and where you are signed in. If the service has a mail server, it mails you about a changed password or factor.',
  changeTitle: 'Change your password',
  firstUse: 'Somebody else has set your password. Choose one that only you know, then continue.',
  age: 'Your password is older than your operator permits. Choose another one, then continue.',
  rules:
    '12 characters or more, with a letter and a digit. No common password, no sequence or repetition, no name or address of yours, none of your last four.',
  presentPassword: 'Present password',
  newPassword: 'New password',
  repeatPassword: 'New password again',
  wrongPresent: 'This is not your present password.',
  notSame: 'The two passwords differ.',
  changePassword: 'Change password',
  changed: 'Your password is changed. All your other sessions have ended.',
  sessions: 'Your sessions',
  sessionsHelp: 'End each session that you do not recognise, then change your password.',
  browser: 'Browser',
  address: 'Network address',
  since: 'Since',
  lastUse: 'Last use',
  thisOne: 'this one',
  unknown: 'not known',
  onSystem: '{browser} on {system}',
  end: 'End',
  endOf: 'End the session: {browser}, {address}, since {since}',
  endOthers: 'End all others',
} as const;

export const PROFILE_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    profile: 'Ihre Anmeldung',
    intro:
      'Ihr Passwort und Ihre zweiten Faktoren, und wo Sie angemeldet sind. Wenn der Dienst einen Mailserver hat, meldet er Ihnen ein geändertes Passwort oder einen geänderten Faktor per E-Mail.',
    changeTitle: 'Passwort ändern',
    firstUse: 'Jemand anderes hat Ihr Passwort vergeben. Wählen Sie eines, das nur Sie kennen. Danach geht es weiter.',
    age: 'Ihr Passwort ist älter, als Ihr Betreiber es erlaubt. Wählen Sie ein anderes. Danach geht es weiter.',
    rules:
      'Mindestens 12 Zeichen, mit einem Buchstaben und einer Ziffer. Kein häufiges Passwort, keine Folge oder Wiederholung, weder Ihr Name noch Ihre Adresse, keines Ihrer letzten vier.',
    presentPassword: 'Jetziges Passwort',
    newPassword: 'Neues Passwort',
    repeatPassword: 'Neues Passwort wiederholen',
    wrongPresent: 'Das ist nicht Ihr jetziges Passwort.',
    notSame: 'Die beiden Passwörter sind verschieden.',
    changePassword: 'Passwort ändern',
    changed: 'Ihr Passwort ist geändert. Alle anderen Sitzungen sind beendet.',
    sessions: 'Ihre Sitzungen',
    sessionsHelp: 'Beenden Sie jede Sitzung, die Sie nicht kennen, und ändern Sie dann Ihr Passwort.',
    browser: 'Browser',
    address: 'Netzadresse',
    since: 'Seit',
    lastUse: 'Zuletzt benutzt',
    thisOne: 'diese',
    unknown: 'nicht bekannt',
    onSystem: '{browser} auf {system}',
    end: 'Beenden',
    endOf: 'Sitzung beenden: {browser}, {address}, seit {since}',
    endOthers: 'Alle anderen beenden',
  },
};
