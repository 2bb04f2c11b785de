import { EPOS_VIEWS, getHeldDeposit, type HeldDeposit, releaseHeldDeposit } from '@pos/administration/accounts';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { account, choice, environment, optional, text } from '../command/flags.js';
import { formatMoment } from '../command/result-lines.js';

const STATES: Readonly<Record<HeldDeposit['state'], string>> = {
  NotCreated: 'the party was not created',
  Unanswered: 'the EPOS did not answer the creation of the party',
  AtEpos: 'the EPOS has the party, or had it',
  Deleted: 'the service no longer has the id of the party',
  Left: 'the party has left with it',
};

const show = defineQuery({
  path: 'deposit show',
  details: ['A payment that is the deposit of a party pays no bill, no order and for no other party.'],
  examples: ['deposit show --account acc_... --payment pi_...'],
  flags: { account: account(), environment: environment(), payment: text('The payment intent.', 'pi_...') },
  async run(session, { values }) {
    const deposit = await session.read(values, (reader) => getHeldDeposit(reader, values.payment));
    const { amount, heldUntil, partyId, state, paymentIntentId } = deposit;
    const party = partyId === null ? 'a party' : `party ${partyId}`;
    return {
      data: deposit,
      lines: [
        `${amount.value} ${amount.currencyCode} of ${paymentIntentId} is the deposit of ${party}`,
        `${STATES[state]} (${state})`,
        `it can be refunded from ${formatMoment(heldUntil)} on, or when the party has left`,
      ],
    };
  },
});

const release = defineChange({
  path: 'deposit release',
  details: [
    'For a payment that stays the deposit of a party although it is not: the creation of the party got no answer and was not repeated, or the EPOS has removed the party by itself. From then on the payment can be refunded at once, and can pay a bill, an order or for another party.',
    'While the integration can, it sends the creation again, changes the party without the deposit, or deletes it: that releases the payment, too.',
    'Look at the EPOS first. `NoParty`: it has no such party, and none has left with this deposit. `PartyWithoutDeposit`: it has the party, and this payment is not on its bill. If the EPOS takes the payment off a bill, do not release it: the money would pay twice.',
    'It is refused while a request about the party runs, and after the party has left with its deposit.',
  ],
  examples: [
    'deposit release --account acc_... --payment pi_... --epos-shows NoParty --reason "booking was never made, ticket 21"',
  ],
  flags: {
    account: account(),
    environment: environment(),
    payment: text('The payment intent.', 'pi_...'),
    eposShows: optional(
      choice('What you have seen at the EPOS. Needed unless the party was certainly not created.', EPOS_VIEWS),
    ),
  },
  async run(session, { values, change }) {
    const { payment: paymentIntentId, eposShows } = values;
    const released = await session.transact(values, (tx) =>
      releaseHeldDeposit(tx, change, { paymentIntentId, eposShows }),
    );
    return { data: released, lines: [`${released.paymentIntentId} is no deposit any more`] };
  },
});

export const DEPOSIT_COMMANDS: readonly CommandDefinition[] = [show, release];
