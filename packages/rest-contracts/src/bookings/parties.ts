import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { freeText } from '../shapes/free-text.js';
import { getId, Moment, MomentInput, Money, PayableInput } from '../shapes/shapes.js';
import {
  BOOKING_CHANGE_REFUSALS,
  BOOKINGS_TAG,
  CoversInput,
  EPOS_CALL_REFUSALS,
  EPOS_PAGE_MEMBERS,
  EposIdInput,
  getBookingPage,
  isOneDirection,
  NameInput,
  NotesInput,
  ONE_DIRECTION,
  TableIdsInput,
} from './booking-shapes.js';

const STATUS_LENGTH_MAX = 100;
const INTENTS_MAX = 20;
const DESCRIPTION_LENGTH_MAX = 200;

const Deposit = z
  .object({
    totalAmount: Money.describe('The sum of the deposit.'),
    paymentIntentIds: z.array(z.string()).describe('Ids of the payment intents that the deposit was paid by.'),
    description: z.string().optional().describe('Text about the deposit, for staff.'),
  })
  .meta({
    id: 'PartyDeposit',
    examples: [
      {
        totalAmount: { value: 2000, currencyCode: 'GBP' },
        paymentIntentIds: ['pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw'],
      },
    ],
  });

const NewDeposit = z
  .object({
    totalAmount: PayableInput.describe(
      'The sum of the deposit. Must not exceed what the payment intents hold or have captured, less refunds.',
    ),
    paymentIntentIds: z
      .array(getId('paymentIntent', 'is not a payment intent'))
      .min(1)
      .max(INTENTS_MAX)
      .describe(
        'Ids of the paid payment intents of this account, all of which have money. A payment is the deposit of one party, and pays no bill.',
      ),
    description: freeText({ max: DESCRIPTION_LENGTH_MAX }).optional().describe('Text about the deposit, for staff.'),
  })
  .meta({
    id: 'NewPartyDeposit',
    description: 'What was paid for the booking in advance. The service checks the payments before it tells the EPOS.',
    examples: [
      {
        totalAmount: { value: 2000, currencyCode: 'GBP' },
        paymentIntentIds: ['pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw'],
      },
    ],
  });

const Party = z
  .object({
    id: z.string().describe('Id of the party, unique among the current parties of the EPOS.'),
    status: z.string().describe('Status of the party, in words of the EPOS.'),
    tableIds: z.array(z.string()).describe('Ids of the tables of the party.'),
    startTime: Moment.describe('When the party arrives or has arrived.'),
    expectedEndTime: Moment.optional().describe('When the party is expected to leave.'),
    endTime: Moment.optional().describe('When the party left; absent while it is there.'),
    name: z.string().optional().describe('Name under which the party is known.'),
    covers: z.int().min(0).optional().describe('How many people the party has.'),
    hostNotes: z.string().optional().describe('Notes of the staff. Do not show them to guests.'),
    guestRequests: z.string().optional().describe("The guest's words."),
    reservationId: z.string().optional().describe('Id of the reservation at the EPOS, if there was one.'),
    deposit: Deposit.optional().describe('What was paid for the booking in advance.'),
  })
  .meta({
    id: 'Party',
    examples: [{ id: 'p-1', status: 'Seated', tableIds: ['t-7'], startTime: '2026-03-01T19:00:00.000Z', covers: 4 }],
  });
export type Party = z.output<typeof Party>;

const PARTY_MEMBERS = {
  tableIds: TableIdsInput.describe('Ids of the tables of the party, at least one. A table has one party at a time.'),
  startTime: MomentInput.describe('When the party arrives or has arrived.'),
  expectedEndTime: MomentInput.optional().describe('When the party is expected to leave.'),
  name: NameInput.optional().describe('Name under which the party is known.'),
  covers: CoversInput.optional().describe('How many people the party has.'),
  hostNotes: NotesInput.optional().describe('Notes of the staff, which guests never see.'),
  guestRequests: NotesInput.optional().describe("The guest's words; the EPOS does not edit them."),
  deposit: NewDeposit.optional().describe('What was paid for the booking in advance.'),
};
const Status = freeText({ min: 1, max: STATUS_LENGTH_MAX });

const NewParty = z
  .object({
    ...PARTY_MEMBERS,
    status: Status.optional().describe('Status of the party, in words of the EPOS.'),
    reservationId: EposIdInput.optional().describe('Id of the reservation at the EPOS that the party has come for.'),
  })
  .meta({
    id: 'NewParty',
    examples: [{ tableIds: ['t-7'], startTime: '2026-03-01T19:00:00.000Z', covers: 4, reservationId: 'r-1' }],
  });
export type NewParty = z.output<typeof NewParty>;

const PartyChange = z
  .object({
    ...PARTY_MEMBERS,
    status: Status.describe('Status of the party, in words of the EPOS.'),
    endTime: MomentInput.optional().describe('When the party left. The party is over with it.'),
  })
  .meta({
    id: 'PartyChange',
    examples: [
      {
        ...{ status: 'Left', tableIds: ['t-7'], startTime: '2026-03-01T19:00:00.000Z' },
        endTime: '2026-03-01T20:45:00.000Z',
      },
    ],
  });
export type PartyChange = z.output<typeof PartyChange>;

const shared = { tag: BOOKINGS_TAG, version: 'optional' } as const;
const params = z.object({ partyId: z.string().describe('Id of the party at the EPOS.') });

export const listParties = {
  ...shared,
  id: 'listParties',
  method: 'GET',
  path: '/epos/parties',
  summary: 'List the parties at the tables',
  description:
    'Searches at the EPOS of the account. Parties that have left are in the answer only with `completedOnly`. The EPOS ' +
    'must have registered SearchParties.',
  permission: 'bookings.read',
  idempotency: 'none',
  query: z
    .object({
      tableId: EposIdInput.optional().describe('Only the party at this table.'),
      completedOnly: z
        .boolean()
        .default(false)
        .describe('`true`: only parties that have left. `false`: only parties that are there.'),
      ...EPOS_PAGE_MEMBERS,
    })
    .refine(isOneDirection, ONE_DIRECTION),
  returns: getBookingPage('PartyPage', Party),
  refusals: EPOS_CALL_REFUSALS,
} as const satisfies Operation;

export const getParty = {
  ...shared,
  id: 'getParty',
  method: 'GET',
  path: '/epos/parties/{partyId}',
  summary: 'Read a party',
  description: 'The EPOS must have registered GetPartyById.',
  permission: 'bookings.read',
  idempotency: 'none',
  params,
  returns: Party,
  refusals: ['party_not_found', ...EPOS_CALL_REFUSALS],
} as const satisfies Operation;

export const createParty = {
  ...shared,
  id: 'createParty',
  method: 'POST',
  path: '/epos/parties',
  summary: 'Create a party',
  description:
    'The EPOS stores the party under an id of its own. Send an idempotency key: after `epos_unanswered` a repeat with the ' +
    'key first searches for the party. The EPOS must have registered CreateParty, and SearchParties for the repeat. ' +
    'A party with a `deposit` needs an idempotency key: without one the request is refused with `idempotency_key_invalid`.',
  permission: 'bookings.write',
  idempotency: 'optional',
  movesMoney: true,
  body: NewParty,
  returns: Party,
  refusals: ['payment_intent_unknown', 'payment_intent_is_deposit', ...BOOKING_CHANGE_REFUSALS],
} as const satisfies Operation;

export const updateParty = {
  ...shared,
  id: 'updateParty',
  method: 'PUT',
  path: '/epos/parties/{partyId}',
  summary: 'Change a party',
  description:
    'Replaces the whole party, except its reservation: a member that is not sent is removed. The EPOS must have ' +
    'registered UpdateParty. After `epos_unanswered` the request may be repeated.',
  permission: 'bookings.write',
  idempotency: 'optional',
  movesMoney: true,
  params,
  body: PartyChange,
  returns: Party,
  refusals: ['party_not_found', 'payment_intent_unknown', 'payment_intent_is_deposit', ...BOOKING_CHANGE_REFUSALS],
} as const satisfies Operation;

export const deleteParty = {
  ...shared,
  id: 'deleteParty',
  method: 'DELETE',
  path: '/epos/parties/{partyId}',
  summary: 'Delete a party',
  description:
    'For a party that was seated by mistake; one that has eaten and left gets an `endTime`. The EPOS must have registered ' +
    'DeletePartyById. After `epos_unanswered` the request may be repeated; `party_not_found` then says that the first ' +
    'one was executed.',
  permission: 'bookings.write',
  idempotency: 'optional',
  params,
  returns: null,
  refusals: ['party_not_found', ...BOOKING_CHANGE_REFUSALS],
} as const satisfies Operation;

export const PARTY_OPERATIONS = [listParties, getParty, createParty, updateParty, deleteParty] as const;
