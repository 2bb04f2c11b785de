import type { TestCatalogue } from '@pos/conformance/checks';
import { CLAUSES } from '../checks/clauses.js';
import { FLOWS } from '../flows/flows.js';
import { CLAUSE_FLOWS } from './clause-flows.js';
import { GROUP_TRANSPORTS } from './transports.js';

/** The EPOS tester for the reports, the coverage and the lists of expected failures. */
export const EPOS_CATALOGUE: TestCatalogue = {
  title: 'EPOS tester',
  subject: 'EPOS',
  transports: GROUP_TRANSPORTS,
  flows: FLOWS.map(({ name }) => name),
  clauses: CLAUSES,
  clauseFlows: CLAUSE_FLOWS,
  conditions: {
    'connection.credentials': 'The EPOS was not called at an address, so no password was shown to it.',
  },
};
