import type { Reader, Tx } from '@pos/store/database';
import type { Money } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intent';
import type { AcquirerRule } from '@pos/sandbox/acquirer-rules';
import { act, refusalOf, type Shop, type World } from '../testing.js';

type Id = PaymentIntent['id'];

interface Steps {
  readonly begin: (tx: Tx) => Promise<string>;
  readonly result: (reader: Reader, reference: string) => Promise<unknown>;
}

/** Moves the money of a shop's payments as the API does: reserve, ask, tell. Each answers `done` or the refusal's code. */
export class Till {
  constructor(
    private readonly world: World,
    private readonly shop: Shop,
  ) {}

  capture(id: Id, amount: number, tipsAmount = 0): Promise<string> {
    const { captures } = this.world;
    return this.#move({
      begin: (tx) => captures.begin(tx, id, { amount, tipsAmount }),
      result: (reader, reference) => captures.result(reader, reference),
    });
  }

  price(id: Id, amount: Money): Promise<string> {
    const { amounts } = this.world;
    return this.#move({
      begin: (tx) => amounts.begin(tx, id, { amount, itemLines: null, taxLines: null }),
      result: (reader, point) => amounts.result(reader, point),
    });
  }

  tips(id: Id, tipsAmount: Money): Promise<string> {
    return refusalOf(act(this.world, this.shop, (tx) => this.world.amounts.changeTips(tx, id, tipsAmount)));
  }

  refund(id: Id, amount: number): Promise<string> {
    const { refunds } = this.world;
    const why = { reason: 'cold soup', notes: null, previousTransactionId: null };
    return this.#move({
      begin: (tx) => refunds.begin(tx, id, { ...why, amount }),
      result: (reader, reference) => refunds.result(reader, reference),
    });
  }

  reverse(id: Id): Promise<string> {
    const { reversals } = this.world;
    return this.#move({
      begin: (tx) => reversals.begin(tx, id),
      result: (reader, reference) => reversals.result(reader, reference),
    });
  }

  #move({ begin, result }: Steps): Promise<string> {
    const { calls, database } = this.world;
    const { scope } = this.shop;
    return refusalOf(
      (async () => {
        const reference = await act(this.world, this.shop, begin);
        await calls.pursue(scope, reference);
        await database.read(scope, (reader) => result(reader, reference));
      })(),
    );
  }
}

/** What the acquirer has booked about an authorisation beside itself: `Capture 1500 Approved`. */
export function bookedAbout(world: World, reference: string): string[] {
  return world.door.acquirer.books
    .belongingTo(reference)
    .map(({ kind, amount, outcome }) => `${kind} ${amount.value} ${outcome}`);
}

/** How often each answer was given. */
export function counted(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

/** Every way in which the acquirer does not answer a kind of call once, and what it has booked by then. */
export function silences(kind: 'Capture' | 'Refund' | 'Reverse' | 'Increase'): [string, AcquirerRule[]][] {
  return [
    ['is lost after the booking', [{ match: { kind }, effect: 'drop-answer', times: 1 }]],
    ['does not come, for the acquirer is down', [{ match: { kind }, effect: 'down', times: 1 }]],
    ['comes after the deadline', [{ match: { kind }, effect: 'delay', delayMs: 600, times: 1 }]],
  ];
}
