import type { AcquirerErrorStatus } from '@pos/core/acquirer-status';
import { add, money, type Money } from '@pos/core/money';
import type { Acquirer } from './acquirer.js';
import type { Authorisation, Follow, MachineRefund, Standing } from './acquirer-call.js';
import type { AcquirerRules, ArrivingCall, RuledCall, Ruling } from './acquirer-rules.js';
import type { WorldClock } from './clock.js';

/** The caller gets no answer. `dropped`: something may have been booked. `down`: nothing was. */
export class Unanswered extends Error {
  constructor(readonly way: 'down' | 'dropped' | 'late') {
    super(`no answer: ${way}`);
  }
}

/** A rule has the acquirer answer an error status. */
export class RuledStatus extends Error {
  constructor(
    readonly status: AcquirerErrorStatus,
    readonly isBooked: boolean,
  ) {
    super(`${status} by rule`);
  }
}

/** The way to the acquirer, for the service's calls and the machines' alike: here the rules of the control API act. */
export class AcquirerDoor {
  readonly acquirer: Acquirer;
  readonly rules: AcquirerRules;
  readonly #clock: WorldClock;

  constructor(parts: { readonly acquirer: Acquirer; readonly rules: AcquirerRules; readonly clock: WorldClock }) {
    this.acquirer = parts.acquirer;
    this.rules = parts.rules;
    this.#clock = parts.clock;
  }

  authorise(asked: Authorisation): Promise<Standing> {
    const { reference, merchantId, amount, instrument } = asked;
    const terminalId = instrument.kind === 'present' ? instrument.terminalId : null;
    return this.#pass(
      { ...arriving('Authorise', reference), merchantId, terminalId, amount: amount.value },
      ({ verdict }) => this.acquirer.authorise(asked, verdict),
    );
  }

  completeChallenge(reference: string, answer: { hasPassed: boolean; md: string }): Promise<Standing> {
    return this.#pass(this.#about('CompleteChallenge', reference), () =>
      this.acquirer.completeChallenge(reference, answer),
    );
  }

  follow(kind: 'Increase' | 'Capture' | 'Refund', asked: Follow): Promise<Standing> {
    const { reference, originalReference, amount } = asked;
    const call = { ...arriving(kind, reference), originalReference, amount: amount.value };
    return this.#pass({ ...call, merchantId: this.#merchantOf(originalReference) }, ({ verdict }) => {
      switch (kind) {
        case 'Increase':
          return this.acquirer.increase(asked, verdict);
        case 'Capture':
          return this.acquirer.capture(asked, verdict);
        case 'Refund':
          return this.acquirer.refund(asked, verdict);
      }
    });
  }

  refundAtMachine(asked: MachineRefund): Promise<Standing> {
    const { reference, originalReference, merchantId, terminalId, amount } = asked;
    const call = { ...arriving('Refund', reference), originalReference, merchantId, terminalId, amount: amount.value };
    return this.#pass(call, ({ verdict }) => this.acquirer.refundAtMachine(asked, verdict));
  }

  reverse(asked: Parameters<Acquirer['reverse']>[0]): Promise<Standing> {
    const { reference, originalReference, merchantId } = asked;
    const amount = this.acquirer.books.find(originalReference)?.amount.value ?? null;
    return this.#pass({ ...arriving('Reverse', reference), originalReference, merchantId, amount }, ({ verdict }) =>
      this.acquirer.reverse(asked, verdict),
    );
  }

  inquire(reference: string): Promise<Standing> {
    return this.#pass(this.#about('Inquire', reference), () => this.acquirer.inquire(reference));
  }

  /** For what has no standing of its own, such as a list. */
  read<T>(kind: 'ListBooked', merchantId: string, work: () => T): Promise<T> {
    return this.#pass({ ...arriving(kind, null), merchantId }, work);
  }

  async #pass<T>(call: ArrivingCall, work: (ruling: Ruling) => T): Promise<T> {
    const ruling = this.rules.take(call);
    if (ruling.isDown) throw new Unanswered('down');
    const { refusal } = ruling;
    if (refusal !== null && !refusal.isBooked) throw new RuledStatus(refusal.status, false);
    const answer = work(ruling);
    if (ruling.isDoubled) work(ruling);
    if (ruling.delayMs > 0) await this.#wait(ruling.delayMs);
    if (refusal !== null) throw new RuledStatus(refusal.status, true);
    if (ruling.isAnswerDropped) throw new Unanswered('dropped');
    if (call.kind === 'Authorise' && isUndecided(answer)) throw new Unanswered('late');
    return isStanding(answer) ? falsified(answer, ruling) : answer;
  }

  #wait(realMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.afterReal(realMs, resolve);
    });
  }

  #about(kind: RuledCall, reference: string): ArrivingCall {
    const call = this.acquirer.books.find(reference);
    return {
      ...arriving(kind, reference),
      originalReference: call?.originalReference ?? null,
      merchantId: call?.merchantId ?? null,
      terminalId: call?.terminalId ?? null,
      amount: call?.amount.value ?? null,
    };
  }

  #merchantOf(reference: string): string | null {
    return this.acquirer.books.find(reference)?.merchantId ?? null;
  }
}

function arriving(kind: RuledCall, reference: string | null): ArrivingCall {
  return { kind, reference, originalReference: null, merchantId: null, terminalId: null, amount: null };
}

function isUndecided(answer: unknown): boolean {
  return isStanding(answer) && answer.outcome === 'InProgress';
}

function isStanding(answer: unknown): answer is Standing {
  return typeof answer === 'object' && answer !== null && 'outcome' in answer;
}

/** What is told of a call in place of the truth. */
function falsified<T extends Standing>(truth: T, { isContradicted, isAmountMisstated }: Ruling): T {
  const told = isContradicted ? { ...truth, ...contradicted(truth) } : truth;
  return isAmountMisstated && told.amount !== null ? { ...told, amount: oneMore(told.amount) } : told;
}

function oneMore(amount: Money): Money {
  return add(amount, money(1, amount.currencyCode));
}

/** The opposite of the truth, as an acquirer with two data centres may tell it. */
function contradicted(standing: Standing): Standing {
  switch (standing.outcome) {
    case 'Approved':
      return { ...standing, outcome: 'Declined' };
    case 'Declined':
    case 'Referred':
    case 'Failed':
      return { ...standing, outcome: 'Approved' };
    case 'Challenged':
    case 'InProgress':
    case 'Reversed':
      return { ...standing, outcome: 'NotFound' };
    case 'NotFound':
      return { ...standing, outcome: 'InProgress' };
  }
}
