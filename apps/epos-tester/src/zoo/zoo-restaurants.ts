import { DATA_MEMBERS } from './data-members.js';
import { TABLES_MEMBERS } from './tables-members.js';
import type { ZooRestaurant } from './zoo-member.js';

/** All broken EPOSes, with the transports that each is tested over. */
export const ZOO_RESTAURANTS: readonly ZooRestaurant[] = [
  {
    contract: 'pay-at-table',
    transports: ['tables-ws', 'grpc-dialled', 'grpc-stream'],
    members: TABLES_MEMBERS,
  },
  { contract: 'EPOS Data API', transports: ['rest', 'ws'], members: DATA_MEMBERS },
];

/** At least this many of this many members must be caught; a larger zoo must keep the ratio. */
export const CAUGHT_SHARE = { of: 40, min: 38 } as const;
