/** What every answer of an adapter must be. */
const ANSWER_CLAUSES = {
  'answer.in-time': 'Every call is answered within its deadline, with an outcome or with an error status.',
  'answer.outcome':
    'A call that the contract allows is answered with an outcome of the contract, not with an error status.',
  'answer.reference': 'An answer carries the reference of the call that it answers.',
  'answer.original':
    'The answer to a capture, refund, increase or reversal names its authorisation; that to an authorisation names none.',
  'answer.amount':
    'An approval states the amount and the currency of its call; that of an increase states the new total.',
  'answer.transaction':
    'An approval carries the id of its transaction, a text of up to 200 characters that no other call has.',
  'answer.time': 'A decided call carries the time of its decision, and a call without a decision carries none.',
  'answer.auth-code': 'An approved authorisation carries the authorisation code of the issuer.',
  'answer.card': 'An approved authorisation shows the last four digits and the expiry date of its card.',
  'answer.mask':
    'A masked number shows at most six leading digits, eight of a number with 16 digits or more, and the last four.',
  'answer.card-scheme': 'The scheme of a card is a name of the contract in capital letters, or is empty.',
  'secret.card-number': 'No answer and no error message contains a card number.',
  'secret.credential':
    'A call with a wrong credential, or without one, is UNAUTHENTICATED or PERMISSION_DENIED and books nothing.',
} as const;

/** Authorisations, repeats and inquiries. */
const AUTHORISATION_CLAUSES = {
  'authorise.approves': 'The card of the profile that approves is APPROVED.',
  'authorise.declines': 'A refusal of the issuer is the outcome DECLINED, REFERRED or FAILED, never an error status.',
  'authorise.verifies': 'An authorisation over 0 checks the card and holds nothing.',
  'authorise.currency': 'Amounts are minor units of their currency, also where it has no decimal places or three.',
  'repeat.same': 'A repeat of a call is answered as the call was.',
  'repeat.once': 'A repeat books nothing.',
  'repeat.at-once': 'Equal calls at the same time agree: each is approved, in progress, or says nothing about its end.',
  'repeat.after-lost': 'The repeat of a call whose answer was lost is answered with what was decided.',
  'repeat.differs': 'A known reference with another amount, currency or card is ALREADY_EXISTS.',
  'inquire.agrees': 'Inquire answers the outcome, the amount and the transaction with which the call was answered.',
  'inquire.unknown': 'Inquire of a reference that was never used is NOT_FOUND, as an outcome or as an error status.',
  'inquire.in-progress': 'Inquire of a call that was received is IN_PROGRESS until it is decided, never NOT_FOUND.',
  'inquire.late': 'A late decision reaches Inquire within the time that the profile states.',
  'inquire.final': 'Once Inquire has answered a final outcome, it stays.',
  'challenge.asks': 'A challenge carries the page of the issuer, its message and its merchant data.',
  'challenge.passes': 'A challenge that the payer passes ends in APPROVED, with challenge_passed.',
  'challenge.fails': 'A challenge that the payer fails ends without an approval.',
  'challenge.repeats': 'A repeated CompleteChallenge is answered with what was decided.',
  'challenge.lost': 'A completion whose answer was lost decides: Inquire answers the decision, no longer CHALLENGED.',
  'challenge.md': 'CompleteChallenge with the merchant data of another challenge is refused and decides nothing.',
  'challenge.never': 'CompleteChallenge of an authorisation that was never challenged is refused.',
  'challenge.reversed': 'A challenge that was reversed cannot be completed to an approval.',
  'challenge.none':
    'An authorisation for which no challenge is possible is never CHALLENGED, and holds nothing unless it is approved.',
  'stored.charges': 'A stored card is charged later with the reference of its consent, without the payer.',
} as const;

/** What follows an authorisation. */
const MONEY_CLAUSES = {
  'capture.takes': 'A capture of all or part of what is held is APPROVED.',
  'capture.within-hold': 'A capture of more than is still held is refused.',
  'capture.needs-hold': 'An authorisation that was declined, is reversed or is unknown cannot be captured.',
  'follow-up.currency': 'A capture, refund or increase in another currency than its authorisation is refused.',
  'refund.returns': 'A refund of all or part of what was taken is APPROVED.',
  'refund.within-taken': 'A refund of more than was taken and not yet returned is refused.',
  'refund.needs-capture': 'An authorisation of which nothing was taken cannot be refunded.',
  'reverse.undoes': 'A reversal of a hold is APPROVED, and Inquire then answers REVERSED.',
  'reverse.purchase': 'A reversal undoes an authorisation that took the money at once.',
  'reverse.keeps-captured': 'A hold that was captured by a later call is not reversed: the reversal is refused.',
  'reverse.keeps-refunded': 'A payment of which something was refunded is not reversed.',
  'reverse.unknown': 'A reversal of an unknown reference is APPROVED.',
  'reverse.prevents': 'After a reversal no authorisation under its reference is approved.',
  'reverse.repeats': 'A repeated reversal is acknowledged again, under the same reference and under another.',
  'reverse.late': 'An authorisation that was reversed before its decision is never approved.',
  'release.gives-up': 'A release gives up what is not captured: no later capture takes it.',
  'release.keeps-captured': 'After a release, what was captured stays and can be refunded.',
  'increase.raises': 'An increase raises the hold, and the new total can be captured.',
  'increase.needs-hold':
    'An authorisation that was declined, captured or reversed, or is unknown, cannot be increased.',
} as const;

/** The books, the capabilities and bad requests. */
const CONTRACT_CLAUSES = {
  'list.complete': 'ListBooked lists every booking of the time, and each once.',
  'list.only-booked': 'ListBooked lists no booking that was not approved.',
  'list.amounts': 'A booking has the amount and the currency with which it was approved.',
  'list.statuses': 'A reversal changes the status of what it has undone to REVERSED.',
  'list.original': 'A capture, refund, increase or reversal is listed with the reference of its authorisation.',
  'list.order': 'Bookings are listed from the oldest to the newest.',
  'list.pages': 'Pages have at most the requested number of bookings, and together they are the whole list.',
  'list.range': 'A list contains what was booked from its start on and before its end, and nothing else.',
  'list.bad-page': 'A page token of no list, or a page size above 1000, is INVALID_ARGUMENT.',
  'capabilities.answered': 'GetCapabilities answers with capabilities, or is UNIMPLEMENTED.',
  'capabilities.well-formed':
    'Capabilities have a name of 1 to 64 characters, currencies of three capital letters, and spans of time above 0.',
  'capabilities.declared': 'What is declared works: a call that needs it is not refused as UNIMPLEMENTED.',
  'capabilities.undeclared':
    'What is not declared is refused by a status that is final, and nothing is stored under its reference.',
  'input.refused': 'A malformed request is refused for good: INVALID_ARGUMENT, NOT_FOUND or FAILED_PRECONDITION.',
  'input.books-nothing': 'A refused request leaves nothing under its reference.',
  'input.merchant': 'A call for an unknown merchant is NOT_FOUND.',
  'input.unknown-field': 'A field that the adapter does not know changes nothing.',
  'input.unknown-value': 'A value of an enum that the adapter does not know is refused for good.',
  'load.each-once': 'Calls under many references at the same time are each answered and booked once.',
} as const;

/** Every clause of the contract. Each check of a flow names one, and the page for partners is generated from them. */
export const CLAUSES = {
  ...ANSWER_CLAUSES,
  ...AUTHORISATION_CLAUSES,
  ...MONEY_CLAUSES,
  ...CONTRACT_CLAUSES,
};
export type ClauseId = keyof typeof CLAUSES;
