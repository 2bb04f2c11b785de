import { putEposIntegration } from '@pos/store/repositories';
import { type Breakage, getBreakage } from './broken-epos-cases.js';
import { TABLES_MEMBERS } from '../zoo/tables-members.js';

/** EPOSes that break the pay-at-table contract: those of the zoo, and those with a broken connection. */
export const TABLES_BREAKAGES: readonly Breakage[] = [
  ...TABLES_MEMBERS.map(getBreakage),
  {
    epos: 'that refuses the password it was registered with',
    broken: ({ scope }, testEnvironment) =>
      testEnvironment.store.database.transact(scope, (tx) =>
        putEposIntegration(tx, {
          ...{ kind: 'grpc', username: 'restaurant-1', password: 'wrong', capabilities: [] },
          url: testEnvironment.tablesUrl,
        }),
      ),
    ...{ flow: 'ListTables', step: 'call', clause: 'connection.credentials', transport: 'dialled' },
  },
  {
    epos: 'that has disconnected',
    broken: ({ place }) => {
      place.eposStream?.stop();
    },
    ...{
      flow: 'ListTables',
      params: { transport: 'grpc' },
      step: 'connected',
      clause: 'connection.live',
      transport: 'stream',
    },
  },
  {
    epos: 'that is called over a transport that it does not serve',
    broken: () => undefined,
    ...{ flow: 'tables-unknown', params: { transport: 'tables-ws' }, step: 'unknown session' },
    clause: 'connection.live',
  },
];
