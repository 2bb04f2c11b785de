import { renderClauseItem } from '@pos/conformance/clause-coverage';
import { CLAUSES } from '../clauses/clauses.js';
import { ACQUIRER_CATALOGUE } from './catalogue.js';

/** The sections of the page, each with the first words of its clauses. */
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['Answers', ['answer', 'secret']],
  ['Authorisations', ['authorise', 'challenge', 'stored']],
  ['Repeats and inquiries', ['repeat', 'inquire', 'load']],
  ['Captures, refunds and increases', ['capture', 'refund', 'increase', 'follow-up']],
  ['Reversals', ['reverse', 'release']],
  ['The list of bookings', ['list']],
  ['Capabilities and bad requests', ['capabilities', 'input']],
];

/** Renders the clauses as the page for partners. */
export function renderClausesPage(): string {
  const ids = Object.keys(CLAUSES);
  const sections = SECTIONS.flatMap(([title, subjects]) => [
    ...[`## ${title}`, ''],
    ...ids
      .filter((id) => subjects.includes(id.split('.')[0] ?? ''))
      .map((id) => renderClauseItem(ACQUIRER_CATALOGUE, id)),
    '',
  ]);
  return [
    '# Acquirer clauses: what the tester checks',
    '',
    'For engineers who write an adapter for an acquirer and must fix a failed check. At its end you know what each clause requires, and which flows test it.',
    '',
    'A failed check names its clause in brackets. This page is generated from `clauses.ts` and `clause-flows.ts` of the tester; `pnpm golden --filter=@pos/acquirer-tester` rewrites it.',
    '',
    ...sections,
  ].join('\n');
}
