import { CALL_MOVES } from '@pos/core/acquirer-calls';
import { PLACEMENT_MOVES } from '@pos/core/orders';
import { MOVES } from '@pos/core/payment-intents';
import { SETUP_MOVES } from '@pos/core/setup-intents';
import { JOURNEY_MOVES } from '@pos/core/journeys';
import { LEASE_MOVES, TABLE_PAYMENT_MOVES } from '@pos/core/tables';
import { SESSION_MOVES } from '@pos/core/terminals';
import { type Moves, renderMovesDiagram, renderMovesTable } from './moves.js';

interface StateMachine {
  readonly title: string;
  /** The object with the states, and where its moves are decided. */
  readonly says: string;
  readonly file: string;
  readonly moves: Moves;
}

const STATE_MACHINES: readonly StateMachine[] = [
  {
    title: 'Payment intent',
    says: 'A payment from its request to its settlement.',
    file: 'packages/core/src/payment-intents/payment-intent.ts',
    moves: MOVES,
  },
  {
    title: 'Setup intent',
    says: 'A card that is authorised now and charged later.',
    file: 'packages/core/src/setup-intents/setup-intent.ts',
    moves: SETUP_MOVES,
  },
  {
    title: 'Acquirer call',
    says: 'One call that moves money at the acquirer, under one reference.',
    file: 'packages/core/src/acquirer-calls/acquirer-call.ts',
    moves: CALL_MOVES,
  },
  {
    title: 'Terminal session',
    says: 'One payment or refund on one card machine.',
    file: 'packages/core/src/terminals/terminal-session.ts',
    moves: SESSION_MOVES,
  },
  {
    title: 'Lease of a table session',
    says: 'The right of one device to change a bill, with the lock of the EPOS or without it.',
    file: 'packages/core/src/tables/lease.ts',
    moves: LEASE_MOVES,
  },
  {
    title: 'Journey',
    says: 'The payment of one bill by one device, part by part.',
    file: 'packages/core/src/journeys/journey.ts',
    moves: JOURNEY_MOVES,
  },
  {
    title: 'Table payment',
    says: 'One part of a bill: from the card to the books of the EPOS, or to the money given back.',
    file: 'packages/core/src/tables/table-payment.ts',
    moves: TABLE_PAYMENT_MOVES,
  },
  {
    title: 'Order placement',
    says: 'An order that is paid before the EPOS has it.',
    file: 'packages/core/src/orders/order-placement.ts',
    moves: PLACEMENT_MOVES,
  },
];

const HEAD = `# State machines

For contributors and for operators who read a status. At its end you know every state of each row that moves money, and every permitted move. The code refuses all others.

This page is generated from the tables in the code; \`pnpm golden --filter=@pos/tools\` rewrites it. [Life of a payment](../contribute/life-of-a-payment.md) describes the steps behind the moves.
`;

/** The page of all state machines, docs/reference/state-machines.md. */
export function renderStateMachinesPage(): string {
  const sections = STATE_MACHINES.map(
    ({ title, says, file, moves }) =>
      `## ${title}\n\n${says} The moves are in \`${file}\`.\n\n${renderMovesDiagram(moves)}\n${renderMovesTable(moves)}`,
  );
  return [HEAD, ...sections].join('\n');
}
