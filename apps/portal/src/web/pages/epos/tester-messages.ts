import type { MessageCatalogue } from '@pos/web-ui/messages/message-catalogue';

const en = {
  title: 'EPOS tests',
  intro:
    'The EPOS tester plays flows against the EPOS of this sandbox and says which clause of the contract it broke. Runs are started by its API or its command, and are kept for 30 days.',
  noneTitle: 'No runs yet',
  noneText: 'Start a flow with the EPOS tester. Its run and its report appear here.',
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
      'Der Kassentester spielt Abläufe gegen das Kassensystem dieser Sandbox und nennt die verletzte Klausel des Vertrags. Läufe werden mit seiner API oder seinem Kommando gestartet und 30 Tage aufbewahrt.',
    noneTitle: 'Noch keine Läufe',
    noneText: 'Starten Sie einen Ablauf mit dem Kassentester. Sein Lauf und sein Bericht erscheinen hier.',
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
