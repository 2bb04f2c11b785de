import { AMOUNT_RESULTS, type AmountTrigger, CARD_RESULTS, findAmountTrigger, TEST_CARDS } from '@pos/sandbox/cards';
import { MACHINE_MODELS, MACHINE_RESULTS } from '@pos/sandbox/machines';

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
