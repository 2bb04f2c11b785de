import { type AmountTrigger, type CardBehaviour, findAmountTrigger, TEST_CARDS } from '@pos/sandbox/cards';
import { MACHINE_MODELS, type MachineModel } from '@pos/sandbox/machines';

const HEAD = `# Test cards and amounts

For integrators who test against the sandbox. At its end you can provoke every outcome of a payment, online and on a card machine.

The tables are generated from the code of the sandbox; \`pnpm golden --filter=@pos/tools\` rewrites them.
`;

const CARDS = `## Test cards

Use any expiry date in the future, for example 12/32. The sandbox declines every other number and never stores it. It also declines a wrong CV2.
`;

const AMOUNTS = `## Amounts

The last two digits of the total decide, in minor units: 10.91 is \`1091\`. Online this applies to cards that are always approved. On card machines it applies to sales on the machines that are marked in the next table.
`;

const LATE_APPROVALS = `A late approval comes 20 seconds after the answer was due. \`POST /sandbox/clock/advance\` makes it at once, with the times that it would have had.

Transactions, receipts and the payments at the EPOS of a sandbox have the time of its clock.
`;

const MACHINES = `## Card machines

Every sandbox account has these ten machines. A payment without the cardholder is keyed in by hand. A refund asks for no signature.
`;

const CARD_RESULTS: Readonly<Record<CardBehaviour, string>> = {
  Approve: 'approved',
  Challenge: 'requires a challenge, which can be passed. Without a payer present: approved',
  ChallengeAlwaysFails: 'requires a challenge, which always fails. Without a payer present: declined',
  Decline: 'declined',
  Refer: 'referred to the card issuer',
  Fail: 'failed with a processing error',
  ApproveLate: 'no answer; approved 20 seconds later',
  ApproveAddressMismatch: 'approved, although address and postcode do not match',
  ApproveSetupOnly: 'approved when the payer enters it; declined as a stored card',
  ApproveNoRefund: 'approved; a refund is refused',
  ApproveSecondAttempt: 'each odd attempt with one amount is declined, each even one is approved',
};

const AMOUNT_RESULTS: Readonly<Record<AmountTrigger, string>> = {
  Declined: 'declined',
  Referred: 'referred to the card issuer',
  Failed: 'failed with a processing error',
  DeclinedAfterCardError: 'the machine shows a card error, then the payment is declined',
  Challenged: 'requires a challenge',
  SignatureRequired: 'approved, with a signature to verify',
  CardTroubles: 'several notifications about the card, then approved by PIN',
  ApprovedLate: 'no answer in time; approved later',
  CanceledAtMachine: 'cancelled at the machine',
  SecondAttemptApproved: 'declined at the first attempt, approved at the second',
};

const MACHINE_RESULTS: Readonly<Record<MachineModel['behaviour'], string>> = {
  contactless: 'approved, contactless',
  pin: 'approved by PIN',
  signature: 'approved, with a signature to verify',
  decline: 'declined',
  cancel: 'cancelled at the machine',
  expire: 'no card is presented, and the session expires',
  busy: 'the machine reports that it is in use',
  offline: 'the machine never connects',
  slow: 'approved by PIN after a minute',
  mixed: 'by PIN and by signature in turn',
};

/** The page of test cards, amounts and card machines. */
export function testDataPage(): string {
  return [HEAD, CARDS, cardTable(), AMOUNTS, amountTable(), LATE_APPROVALS, MACHINES, machineTable()].join('\n');
}

function cardTable(): string {
  const rows = TEST_CARDS.map(
    ({ number, product, cv2, behaviour }) => `| ${number} | ${product} | ${cv2} | ${CARD_RESULTS[behaviour]} |\n`,
  );
  return `| Number | Card | CV2 | Result |\n|---|---|---|---|\n${rows.join('')}`;
}

function amountTable(): string {
  const endings = Array.from({ length: 100 }, (_, ending) => ending);
  const rows = endings.flatMap((ending) => {
    const [online, machine] = [findAmountTrigger(ending, 'online'), findAmountTrigger(ending, 'machine')];
    return online === null && machine === null ? [] : `| ${ending} | ${resultOf(online)} | ${resultOf(machine)} |\n`;
  });
  return `| Ending | Online | On a card machine |\n|---|---|---|\n${rows.join('')}`;
}

function resultOf(trigger: AmountTrigger | null): string {
  return trigger === null ? 'no effect' : AMOUNT_RESULTS[trigger];
}

function machineTable(): string {
  const rows = MACHINE_MODELS.map(
    ({ tid, behaviour, followsAmounts }) =>
      `| ${tid} | ${MACHINE_RESULTS[behaviour]} | ${followsAmounts ? 'yes' : 'no'} |\n`,
  );
  return `| TID | Result of a sale | Amounts apply |\n|---|---|---|\n${rows.join('')}`;
}
