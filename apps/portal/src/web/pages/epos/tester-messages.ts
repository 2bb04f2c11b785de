import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  title: 'EPOS tests',
  intro:
    'The EPOS tester plays flows against the EPOS of this sandbox and says which clause of the contract it broke. Runs are kept for 30 days. Its API and its command start them too.',
  noneTitle: 'No runs yet',
  noneText: 'Start a flow. Its run and its report appear here.',
  start: 'Start a run',
  startText:
    'It plays the flow against your EPOS as a card machine would: it may lock tables, and pays bills with test cards.',
  params: 'Parameters ({count})',
  cancel: 'Cancel',
  flow: 'Flow',
  status: 'Result',
  started: 'Started',
  steps: 'Steps',
  failedStep: 'First failure',
  IN_PROGRESS: 'Running',
  SUCCESS: 'Passed',
  FAILURE: 'Failed',
  TIMED_OUT: 'Timed out',
  back: 'All runs',
  passedText: 'All {count} steps passed.',
  runningText: '{count} steps so far. This page continues by itself.',
  failedText: 'The step {step} failed. Its lines say what the EPOS answered and which clause that breaks.',
  finished: 'Ended',
  id: 'Id',
  details: 'Details',
  report: 'Report',
  lines: 'Lines ({count})',
  noLines: 'Nothing to report.',
} as const;

export const TESTER_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    title: 'Kassentests',
    intro:
      'Der Kassentester spielt Abläufe gegen das Kassensystem dieser Sandbox und nennt die verletzte Klausel des Vertrags. Läufe werden 30 Tage aufbewahrt. Auch seine API und sein Kommando starten welche.',
    noneTitle: 'Noch keine Läufe',
    noneText: 'Starten Sie einen Ablauf. Sein Lauf und sein Bericht erscheinen hier.',
    start: 'Lauf starten',
    startText:
      'Er spielt den Ablauf gegen Ihre Kasse wie ein Kartengerät: Er sperrt womöglich Tische und zahlt Rechnungen mit Testkarten.',
    params: 'Parameter ({count})',
    cancel: 'Abbrechen',
    flow: 'Ablauf',
    status: 'Ergebnis',
    started: 'Begonnen',
    steps: 'Schritte',
    failedStep: 'Erster Fehler',
    IN_PROGRESS: 'Läuft',
    SUCCESS: 'Bestanden',
    FAILURE: 'Fehlgeschlagen',
    TIMED_OUT: 'Zeit abgelaufen',
    back: 'Alle Läufe',
    passedText: 'Alle {count} Schritte sind bestanden.',
    runningText: '{count} Schritte bisher. Diese Seite läuft von selbst weiter.',
    failedText:
      'Der Schritt {step} ist fehlgeschlagen. Seine Zeilen nennen die Antwort des Kassensystems und die verletzte Klausel.',
    finished: 'Beendet',
    id: 'Kennung',
    details: 'Einzelheiten',
    report: 'Bericht',
    lines: 'Zeilen ({count})',
    noLines: 'Nichts zu berichten.',
  },
};
