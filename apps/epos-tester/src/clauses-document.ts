import { CLAUSE_FLOWS } from './clause-flows.js';
import { CLAUSES, type ClauseId } from './clauses.js';
import { DATA_CLAUSES } from './data-clauses.js';

/** The clauses as the document that EPOS developers read. */
export function clausesDocument(): string {
  const ids = Object.keys(CLAUSES) as ClauseId[];
  return [
    '# What an EPOS has to do',
    '',
    'The clauses of both contracts that the EPOS tester checks, and the flows that show them. A failed check names its clause in brackets.',
    'This page is made from `clauses.ts`, `data-clauses.ts` and `clause-flows.ts` of the tester; `pnpm golden --filter=@pos/epos-tester` writes it anew.',
    '',
    '## The pay-at-table contract',
    '',
    ...ids.filter((id) => !Object.hasOwn(DATA_CLAUSES, id)).map(getLine),
    '',
    '## The EPOS Data API',
    '',
    'Answers are checked word for word here. The service itself reads more than the contract says, but no EPOS should rely on it.',
    '',
    ...ids.filter((id) => Object.hasOwn(DATA_CLAUSES, id)).map(getLine),
    '',
  ].join('\n');
}

function getLine(id: ClauseId): string {
  const { flows, by } = CLAUSE_FLOWS[id];
  return `- \`${id}\`: ${CLAUSES[id]} Shown by ${by ?? flows.map((flow) => `\`${flow}\``).join(', ')}.`;
}
