import type { Verdict } from '../clause-coverage/expected-failures.js';
import type { Obstacle } from './certificate.js';

/** The languages of the report page. What a catalogue or a subject says is not translated. */
export const HTML_LANGUAGES = ['en', 'de'] as const;
export type HtmlLanguage = (typeof HTML_LANGUAGES)[number];

/** The texts of the page. */
export interface HtmlMessages {
  readonly headline: (isAsExpected: boolean) => string;
  readonly certified: (transports: string) => string;
  readonly certifiedText: string;
  readonly notCertified: string;
  readonly obstacle: (obstacle: Obstacle) => string;
  readonly sum: (counts: { passed: number; all: number; skipped: number; tested: number; clauses: number }) => string;
  /** Names of facts; a fact that is not listed keeps its own name. */
  readonly facts: Readonly<Record<string, string>>;
  readonly verdicts: Readonly<Record<Verdict, string>>;
  readonly nothingPlayed: string;
  readonly toFix: string;
  readonly flows: string;
  readonly clauses: string;
  readonly clause: string;
  readonly testedBy: string;
  readonly result: string;
  readonly where: string;
  readonly expected: string;
  readonly found: string;
  readonly noFlowPassed: string;
  readonly notTested: string;
  readonly notApplicable: string;
  readonly shown: (shown: number, all: number) => string;
  readonly flowCount: (count: number) => string;
  /** Where the value was found is before it, and the value after it. */
  readonly is: string;
  readonly fix: string;
  readonly required: string;
  readonly runAgain: string;
  readonly talk: string;
  readonly checksHold: (count: number) => string;
  readonly warning: string;
  readonly held: string;
  readonly broken: string;
  readonly gap: string;
}

const EN: HtmlMessages = {
  headline: (isAsExpected) => (isAsExpected ? 'Everything is as expected' : 'Something is not as expected'),
  certified: (transports) => (transports === '' ? 'Certified.' : `Certified over ${transports}.`),
  certifiedText: 'Every flow was played or does not apply, and none failed.',
  notCertified: 'Not certified.',
  obstacle: (obstacle) => describeObstacle(obstacle),
  sum: ({ passed, all, skipped, tested, clauses }) =>
    `${passed} of ${all} flows passed${skipped === 0 ? '' : `, ${skipped} skipped`}; ${tested} of ${clauses} clauses tested.`,
  facts: {},
  verdicts: {
    passed: 'passed',
    failed: 'failed',
    'failed as expected': 'failed as expected',
    'passed unexpectedly': 'passed unexpectedly',
    skipped: 'skipped',
  },
  nothingPlayed: 'nothing was played',
  toFix: 'To fix',
  flows: 'Flows',
  clauses: 'Clauses',
  clause: 'Clause',
  testedBy: 'Tested by',
  result: 'Result',
  where: 'Where',
  expected: 'Expected',
  found: 'Found',
  noFlowPassed: 'No flow passed.',
  notTested: 'Not tested',
  notApplicable: 'Not applicable',
  shown: (shown, all) => `${shown} of ${all} were shown.`,
  flowCount: (count) => `${count} flows`,
  is: 'is',
  fix: 'To fix it, make it:',
  required: 'Required:',
  runAgain: 'Run it again:',
  talk: 'What was said',
  checksHold: (count) => (count === 1 ? '1 check holds' : `${count} checks hold`),
  warning: 'Warning',
  held: 'held',
  broken: 'broken',
  gap: 'not tested',
};

/** The obstacle in English, as in JSON. */
export function describeObstacle(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'stopped':
      return 'The run was stopped before its end.';
    case 'failed':
      return `${formatFlows(obstacle.count)} failed.`;
    case 'untested':
      return `${formatFlows(obstacle.count)} ${obstacle.count === 1 ? 'was' : 'were'} not tested: ${obstacle.reason}`;
    case 'missing': {
      const over = obstacle.transport === null ? '' : ` over ${obstacle.transport}`;
      return `${formatFlows(obstacle.count)} of ${obstacle.all}${over} did not belong to the run.`;
    }
    case 'unused':
      return `No flow over ${obstacle.transports.join(', ')} belonged to the run.`;
    case 'nonePassed':
      return 'No flow passed.';
  }
}

function formatFlows(count: number): string {
  return count === 1 ? '1 flow' : `${count} flows`;
}

const DE: HtmlMessages = {
  headline: (isAsExpected) => (isAsExpected ? 'Alles ist wie erwartet' : 'Etwas ist nicht wie erwartet'),
  certified: (transports) => (transports === '' ? 'Zertifiziert.' : `Zertifiziert über ${transports}.`),
  certifiedText: 'Jeder Ablauf wurde ausgeführt oder trifft nicht zu, und keiner ist gescheitert.',
  notCertified: 'Nicht zertifiziert.',
  obstacle: (obstacle) => describeObstacleInGerman(obstacle),
  sum: ({ passed, all, skipped, tested, clauses }) =>
    `${passed} von ${all} Abläufen bestanden${skipped === 0 ? '' : `, ${skipped} übersprungen`}; ${tested} von ${clauses} Klauseln geprüft.`,
  facts: {
    'EPOS name': 'Name des EPOS',
    'EPOS version': 'Version des EPOS',
    'Tester version': 'Version des Testers',
    Contracts: 'Verträge',
    'Adapter name': 'Name des Adapters',
    'Adapter version': 'Version des Adapters',
    Contract: 'Vertrag',
    Started: 'Begonnen',
    Took: 'Dauer',
    Flows: 'Abläufe',
  },
  verdicts: {
    passed: 'bestanden',
    failed: 'gescheitert',
    'failed as expected': 'gescheitert wie erwartet',
    'passed unexpectedly': 'unerwartet bestanden',
    skipped: 'übersprungen',
  },
  nothingPlayed: 'nichts wurde ausgeführt',
  toFix: 'Zu beheben',
  flows: 'Abläufe',
  clauses: 'Klauseln',
  clause: 'Klausel',
  testedBy: 'Geprüft durch',
  result: 'Ergebnis',
  where: 'Wo',
  expected: 'Erwartet',
  found: 'Gefunden',
  noFlowPassed: 'Kein Ablauf hat bestanden.',
  notTested: 'Nicht geprüft',
  notApplicable: 'Trifft nicht zu',
  shown: (shown, all) => `${shown} von ${all} wurden geprüft.`,
  flowCount: (count) => `${count} Abläufe`,
  is: 'ist',
  fix: 'So beheben Sie es:',
  required: 'Verlangt:',
  runAgain: 'Erneut ausführen:',
  talk: 'Was gesendet wurde',
  checksHold: (count) => (count === 1 ? '1 Prüfung bestanden' : `${count} Prüfungen bestanden`),
  warning: 'Warnung',
  held: 'eingehalten',
  broken: 'verletzt',
  gap: 'nicht geprüft',
};

function describeObstacleInGerman(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'stopped':
      return 'Der Lauf wurde vor seinem Ende gestoppt.';
    case 'failed':
      return obstacle.count === 1 ? '1 Ablauf ist gescheitert.' : `${obstacle.count} Abläufe sind gescheitert.`;
    case 'untested': {
      const flows = obstacle.count === 1 ? '1 Ablauf wurde' : `${obstacle.count} Abläufe wurden`;
      return `${flows} nicht geprüft: ${obstacle.reason}`;
    }
    case 'missing': {
      const over = obstacle.transport === null ? '' : ` über ${obstacle.transport}`;
      return `${obstacle.count} von ${obstacle.all} Abläufen${over} gehörten nicht zum Lauf.`;
    }
    case 'unused':
      return `Kein Ablauf über ${obstacle.transports.join(', ')} gehörte zum Lauf.`;
    case 'nonePassed':
      return 'Kein Ablauf hat bestanden.';
  }
}

export const HTML_MESSAGES: Readonly<Record<HtmlLanguage, HtmlMessages>> = { en: EN, de: DE };
