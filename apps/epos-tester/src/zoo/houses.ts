import { DATA_MEMBERS } from './data-members.js';
import { TABLES_MEMBERS } from './tables-members.js';
import type { House } from './zoo-record.js';

/** Every broken EPOS that there is, with the ways it is visited over. */
export const HOUSES: readonly House[] = [
  {
    contract: 'pay-at-table',
    transports: ['tables-ws', 'grpc-dialled', 'grpc-stream'],
    members: TABLES_MEMBERS,
  },
  { contract: 'EPOS Data API', transports: ['rest', 'ws'], members: DATA_MEMBERS },
];
