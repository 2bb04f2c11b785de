import type { TestCatalogue } from '@pos/conformance/checks';
import { CLAUSES } from '../clauses/clauses.js';
import { FLOWS } from '../flows/flows.js';
import { CLAUSE_FLOWS } from './clause-flows.js';

/** The contract of an adapter. */
export const CONTRACT = 'service.acquirer.v1';

/** The only transport of the contract. */
export const TRANSPORT = 'grpc';

/** The acquirer tester for the reports, the coverage and the lists of expected failures. */
export const ACQUIRER_CATALOGUE: TestCatalogue = {
  title: 'Acquirer tester',
  subject: 'acquirer',
  transports: [TRANSPORT],
  flows: FLOWS.map(({ name }) => name),
  clauses: CLAUSES,
  clauseFlows: CLAUSE_FLOWS,
  conditions: {},
};
