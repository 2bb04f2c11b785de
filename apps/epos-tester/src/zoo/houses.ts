import { DATA_MEMBERS } from './data-members.js';
import { TABLES_MEMBERS } from './tables-members.js';
import type { ZooRestaurant } from './zoo-record.js';

/** All broken EPOSes, with the transports that each is tested over. */
export const ZOO_RESTAURANTS: readonly ZooRestaurant[] = [
  {
    contract: 'pay-at-table',
    transports: ['tables-ws', 'grpc-dialled', 'grpc-stream'],
    members: TABLES_MEMBERS,
  },
  { contract: 'EPOS Data API', transports: ['rest', 'ws'], members: DATA_MEMBERS },
];
