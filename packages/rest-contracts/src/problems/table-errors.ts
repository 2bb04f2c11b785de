import type { ErrorExplanation } from './error-explanation.js';

/** Errors of bills, orders and the tester of an EPOS. */
export const TABLE_ERRORS = {
  flow_not_found: {
    meaning: 'The tester has no run with this id.',
    action: 'Check the id. Runs of other accounts are not visible.',
  },
  flow_runs_exhausted: {
    meaning: 'Too many runs of the tester are in progress.',
    action: 'Wait until one of them ends.',
  },
  pending_payment_not_found: {
    meaning: 'The list of pending payments has no such payment.',
    action: 'Read the list again: the payment may be settled.',
  },
  pending_payment_not_decidable: {
    meaning: 'The payment is still being worked on, or is settled, so there is nothing to decide.',
    action: 'Read the list again.',
  },
  lease_not_found: { meaning: 'There is no such lock on a bill.', action: 'Read the locks again: it may be over.' },
  lease_over: { meaning: 'The lock on the bill is over.', action: 'Lock the bill again.' },
  lease_money_open: {
    meaning: 'The lock protects a payment whose outcome is not settled.',
    action: 'Wait until the payment is settled.',
  },
  journey_not_found: { meaning: 'There is no such journey.', action: 'Start a new journey at the table.' },
  journey_over: { meaning: 'The journey is over.', action: 'Start a new journey at the table.' },
  journey_busy: { meaning: 'Another step of the journey is running.', action: 'Wait until it ends, then repeat.' },
  journey_money_open: { meaning: 'A payment of the journey is not settled yet.', action: 'Wait until it is settled.' },
  journey_not_movable: {
    meaning: 'The journey cannot move to another device in this state.',
    action: 'Finish or leave the running step first.',
  },
  bill_unusable: {
    meaning:
      'The EPOS answered with a bill that cannot be paid: its totals, currency or members contradict each other.',
    action: 'Ask the EPOS partner to correct the bill; the tester shows what is wrong.',
  },
  bill_paid: { meaning: 'The bill is paid already.', action: 'Read the bill again.' },
  part_invalid: {
    meaning: 'The part of the bill to be paid is not well formed.',
    action: 'Read `errors`, correct the part and repeat.',
  },
  part_exceeds_outstanding: {
    meaning: 'The part is larger than what is outstanding on the bill.',
    action: 'Read the bill again and pay at most what is outstanding.',
  },
  item_not_on_bill: { meaning: 'The bill has no such item.', action: 'Read the bill again and choose from its items.' },
  item_share_taken: {
    meaning: 'Somebody else pays or has paid this share of the item.',
    action: 'Read the bill again and choose from what is left.',
  },
  table_payment_id_reused: {
    meaning: 'The id of this payment was used before with other values.',
    action: 'Use a new id for a new payment.',
  },
  card_transaction_unusable: {
    meaning: 'The card transaction cannot be recorded for this payment.',
    action:
      'Check that a card machine of the same account took it, that it has the same amount and currency, and that it is not recorded or returned. An operator decides about the payment.',
  },
  order_placement_not_found: {
    meaning: 'There is no such order that is paid in advance.',
    action: 'Check the id and the key.',
  },
  order_not_placeable: {
    meaning: 'The order cannot be placed as it is.',
    action: 'Read `detail`, correct the order and repeat.',
  },
  epos_cannot_order: {
    meaning: 'The EPOS of the account does not accept orders.',
    action: 'Register the capability `CreateOrder`, or use an account whose EPOS has it.',
  },
  payment_intent_held_for_order: {
    meaning: 'The payment is held for an order that is being placed.',
    action: 'Wait until the order is accepted or refused.',
  },
  payment_intent_is_deposit: {
    meaning: 'The payment is the deposit of a party: of another party, or of one that still needs the money.',
    action: 'Name another payment. To return the money, first change the party without its deposit, or delete it.',
  },
  reservation_not_found: {
    meaning: 'The EPOS of the account has no reservation with this id.',
    action: 'Check the id. A reservation that is not found any more was cancelled.',
  },
  party_not_found: {
    meaning: 'The EPOS of the account has no party with this id.',
    action: 'Check the id. A party that is not found any more was deleted.',
  },
  booking_refused: {
    meaning: 'The EPOS refuses the booking as it is, for example because the table is taken.',
    action: 'Read `detail`, correct the booking and repeat.',
  },
  epos_cannot_book: {
    meaning: 'The EPOS of the account has not registered the call that the operation needs.',
    action: 'Register the capability that `detail` names, or use an account whose EPOS has it.',
  },
  epos_unreachable: {
    meaning: 'The EPOS of the account could not be called. It has received nothing.',
    action: 'Check the connection and the credentials of the EPOS, then repeat.',
  },
  epos_unanswered: {
    meaning: 'The EPOS gave no usable answer, so a change may have been made or not.',
    action: 'Repeat with the same idempotency key: the service searches before it creates anything again.',
  },
  difference_not_found: {
    meaning: 'The account has no difference with this id.',
    action: 'List the differences of the account and take the id from there.',
  },
  difference_not_answerable: {
    meaning: 'The difference is answered already, or does not exist any more.',
    action: 'Read the difference again; nothing is left to do.',
  },
  alarm_not_found: {
    meaning: 'The account has no alarm with this id.',
    action: 'List the alarms of the account and take the id from there.',
  },
  alarm_answered: {
    meaning: 'Another operator has answered the alarm.',
    action: 'Read the alarm again; nothing is left to do.',
  },
} as const satisfies Readonly<Record<string, ErrorExplanation>>;
