import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import {
  BOOKINGS_TAG,
  EPOS_CALL_REFUSALS,
  EPOS_PAGE_MEMBERS,
  EposIdInput,
  getBookingPage,
  isOneDirection,
  ONE_DIRECTION,
} from './booking-shapes.js';

const WAITER_IDS = z.array(z.string()).optional();

const DiningArea = z
  .object({
    id: z.string().describe('Id of the area at the EPOS.'),
    name: z.string().describe('Name of the area, as staff know it.'),
    waiterIds: WAITER_IDS.describe('Ids of the waiters who serve the area.'),
  })
  .meta({ id: 'DiningArea', examples: [{ id: 'bar', name: 'Bar', waiterIds: ['42'] }] });
export type DiningArea = z.output<typeof DiningArea>;

const DiningTable = z
  .object({
    id: z.string().describe('Id of the table at the EPOS; bookings and orders name their tables by it.'),
    name: z.string().describe('Name of the table, unique in its area.'),
    maxCovers: z.int().optional().describe('How many people the table has room for.'),
    areaId: z.string().optional().describe('Id of the area where the table is.'),
    waiterIds: WAITER_IDS.describe('Ids of the waiters who serve the table.'),
  })
  .meta({ id: 'DiningTable', examples: [{ id: 't-7', name: 'Table 7', maxCovers: 4, areaId: 'bar' }] });
export type DiningTable = z.output<typeof DiningTable>;

const shared = { tag: BOOKINGS_TAG, version: 'optional' } as const;

export const listAreas = {
  ...shared,
  id: 'listAreas',
  method: 'GET',
  path: '/epos/areas',
  summary: 'List the areas of the restaurant',
  description: 'The EPOS must have registered ListAreas. It answers all areas at once.',
  permission: 'epos.read',
  idempotency: 'none',
  returns: z.array(DiningArea),
  refusals: EPOS_CALL_REFUSALS,
} as const satisfies Operation;

export const listTables = {
  ...shared,
  id: 'listTables',
  method: 'GET',
  path: '/epos/tables',
  summary: 'List the tables of the restaurant',
  description: 'The EPOS must have registered SearchTables.',
  permission: 'epos.read',
  idempotency: 'none',
  query: z
    .object({
      areaId: EposIdInput.optional().describe('Only tables of this area.'),
      waiterId: EposIdInput.optional().describe('Only tables of this waiter.'),
      ...EPOS_PAGE_MEMBERS,
    })
    .refine(isOneDirection, ONE_DIRECTION),
  returns: getBookingPage('DiningTablePage', DiningTable),
  refusals: EPOS_CALL_REFUSALS,
} as const satisfies Operation;

export const DINING_TABLE_OPERATIONS = [listAreas, listTables] as const;
