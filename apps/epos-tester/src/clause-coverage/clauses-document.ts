import { renderClauseItem } from '@pos/conformance/clause-coverage';
import { CLAUSES } from '../checks/clauses.js';
import { DATA_CLAUSES } from '../checks/data-clauses.js';
import { EPOS_CATALOGUE } from './catalogue.js';

/** Renders the clauses as the document for EPOS developers. */
export function clausesDocument(): string {
  const ids = Object.keys(CLAUSES);
  return [
    '# EPOS clauses: what the tester checks',
    '',
    'For EPOS partners who must fix a failed check. At its end you know what each clause requires, and which flows test it.',
    '',
    'A failed check names its clause in brackets. This page is generated from `clauses.ts`, `data-clauses.ts` and `clause-flows.ts` of the tester; `pnpm golden --filter=@pos/epos-tester` rewrites it.',
    '',
    '## The pay-at-table contract',
    '',
    ...ids.filter((id) => !Object.hasOwn(DATA_CLAUSES, id)).map(getLine),
    '',
    '## The EPOS Data API',
    '',
    'The tester checks answers strictly here. The service itself accepts more than the contract allows, but no EPOS should rely on it.',
    '',
    ...ids.filter((id) => Object.hasOwn(DATA_CLAUSES, id)).map(getLine),
    '',
  ].join('\n');
}

function getLine(id: string): string {
  return renderClauseItem(EPOS_CATALOGUE, id);
}
