import type { AcquirerCapabilities } from '@pos/core/acquirer';
import type { AcquirerErrorStatus } from '@pos/core/acquirer-calls';
import { add, money, type Money } from '@pos/core/money';
import type { Acquirer } from './acquirer.js';
import type {
  AuthorisationRequest,
  FollowUpRequest,
  MachineRefundRequest,
  SimulatedCallState,
} from './acquirer-call.js';
import type { AcquirerRuleSet, IncomingAcquirerCall, RuledCallKind, RuleOutcome } from './acquirer-rules.js';
import { checkAuthorisation, checkFollowUp, checkReversal, requireDeclared } from './capability-checks.js';
import { SimulatedCapabilities } from './simulated-capabilities.js';
import type { AccountClock } from '../clock/account-clock.js';
import type { SimulationClock } from '../clock/simulation-clock.js';

/** The caller gets no answer. `dropped`: something may have been booked. `down`: nothing was. */
export class NoAnswerError extends Error {
  constructor(override readonly cause: 'down' | 'dropped' | 'late') {
    super(`no answer: ${cause}`);
  }
}

/** A rule makes the acquirer answer with an error status. */
export class RuledStatusError extends Error {
  constructor(
    readonly status: AcquirerErrorStatus,
    readonly isBooked: boolean,
  ) {
    super(`${status} by rule`);
  }
}

/** Entry point of the acquirer for the service and the machines. It applies the rules of the control API. */
export class AcquirerSimulator {
  readonly acquirer: Acquirer;
  readonly rules: AcquirerRuleSet;
  readonly capabilities = new SimulatedCapabilities();
  readonly #clock: SimulationClock;
  readonly #accountClocks = new Map<string, AccountClock>();

  constructor(parts: {
    readonly acquirer: Acquirer;
    readonly rules: AcquirerRuleSet;
    readonly clock: SimulationClock;
  }) {
    this.acquirer = parts.acquirer;
    this.rules = parts.rules;
    this.#clock = parts.clock;
  }

  /** The clock of an account: the service's calls tell it the time, as its heartbeats to the machines do. */
  setAccountClock({ accountId, merchantId }: { accountId: string; merchantId: string }, clock: AccountClock): void {
    this.#accountClocks.set(accountId, clock);
    this.acquirer.setMerchantClock(merchantId, clock);
  }

  /** Moves the account to the time that a call of the service carries. An account of another world has no clock here. */
  observeAccountTime(accountId: string, accountTime: Date): void {
    this.#accountClocks.get(accountId)?.observeServiceTime(accountTime);
  }

  authorise(request: AuthorisationRequest): Promise<SimulatedCallState> {
    const { reference, merchantId, amount, instrument } = request;
    const terminalId = instrument.kind === 'present' ? instrument.terminalId : null;
    return this.#applyRules(
      { ...createIncomingCall('Authorise', reference), merchantId, terminalId, amount: amount.value },
      ({ verdict }) => {
        checkAuthorisation(this.capabilities.declared, request);
        return this.acquirer.authorise(limitChallenge(this.capabilities.declared, request), verdict);
      },
    );
  }

  completeChallenge(reference: string, answer: { hasPassed: boolean; md: string }): Promise<SimulatedCallState> {
    return this.#applyRules(this.#describeCall('CompleteChallenge', reference), () =>
      this.acquirer.completeChallenge(reference, answer),
    );
  }

  followUp(kind: 'Increase' | 'Capture' | 'Refund', request: FollowUpRequest): Promise<SimulatedCallState> {
    const { reference, originalReference, amount } = request;
    const call = { ...createIncomingCall(kind, reference), originalReference, amount: amount.value };
    return this.#applyRules({ ...call, merchantId: this.#findMerchantId(originalReference) }, ({ verdict }) => {
      checkFollowUp(this.capabilities.declared, this.acquirer.books, { kind, request });
      switch (kind) {
        case 'Increase':
          return this.acquirer.increase(request, verdict);
        case 'Capture':
          return this.acquirer.capture(request, verdict);
        case 'Refund':
          return this.acquirer.refund(request, verdict);
      }
    });
  }

  refundAtMachine(request: MachineRefundRequest): Promise<SimulatedCallState> {
    const { reference, originalReference, merchantId, terminalId, amount } = request;
    const call = {
      ...createIncomingCall('Refund', reference),
      originalReference,
      merchantId,
      terminalId,
      amount: amount.value,
    };
    return this.#applyRules(call, ({ verdict }) => {
      if (originalReference === null) requireDeclared(this.capabilities.declared, 'unreferenced_refund');
      return this.acquirer.refundAtMachine(request, verdict);
    });
  }

  reverse(request: Parameters<Acquirer['reverse']>[0]): Promise<SimulatedCallState> {
    const { reference, originalReference, merchantId } = request;
    const amount = this.acquirer.books.findCall(originalReference)?.amount.value ?? null;
    return this.#applyRules(
      { ...createIncomingCall('Reverse', reference), originalReference, merchantId, amount },
      ({ verdict }) => {
        checkReversal(this.capabilities.declared, this.acquirer.books, request);
        return this.acquirer.reverse(request, verdict);
      },
    );
  }

  inquire(reference: string): Promise<SimulatedCallState> {
    return this.#applyRules(this.#describeCall('Inquire', reference), () => {
      const isForgotten = this.#isBeyondHorizon(reference);
      return isForgotten ? createUnknownState(reference) : this.acquirer.inquire(reference);
    });
  }

  /** For requests without a state of their own, such as a list. */
  readList<T>(kind: 'ListBooked', merchantId: string, work: () => T): Promise<T> {
    return this.#applyRules({ ...createIncomingCall(kind, null), merchantId }, () => {
      requireDeclared(this.capabilities.declared, 'booked_list');
      return work();
    });
  }

  getCapabilities(): Promise<AcquirerCapabilities> {
    return this.#applyRules(createIncomingCall('GetCapabilities', null), () => this.capabilities.declared);
  }

  #isBeyondHorizon(reference: string): boolean {
    const { inquiryHorizonMs } = this.capabilities.declared;
    const call = this.acquirer.books.findCall(reference);
    if (inquiryHorizonMs === null || call === null) return false;
    return this.#clock.now().getTime() - Date.parse(call.bookedAt) >= inquiryHorizonMs;
  }

  async #applyRules<T>(call: IncomingAcquirerCall, work: (ruling: RuleOutcome) => T): Promise<T> {
    const ruling = this.rules.applyRules(call);
    if (ruling.isDown) throw new NoAnswerError('down');
    const { refusal } = ruling;
    if (refusal !== null && !refusal.isBooked) throw new RuledStatusError(refusal.status, false);
    const answer = work(ruling);
    if (ruling.isRepeated) work(ruling);
    if (ruling.delayMs > 0) await this.#waitRealTime(ruling.delayMs);
    if (refusal !== null) throw new RuledStatusError(refusal.status, true);
    if (ruling.isAnswerDropped) throw new NoAnswerError('dropped');
    if (call.kind === 'Authorise' && isCallUndecided(answer)) throw new NoAnswerError('late');
    return isCallState(answer) ? applyMisstatements(answer, ruling) : answer;
  }

  #waitRealTime(realMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.scheduleRealTime(realMs, resolve);
    });
  }

  #describeCall(kind: RuledCallKind, reference: string): IncomingAcquirerCall {
    const call = this.acquirer.books.findCall(reference);
    return {
      ...createIncomingCall(kind, reference),
      originalReference: call?.originalReference ?? null,
      merchantId: call?.merchantId ?? null,
      terminalId: call?.terminalId ?? null,
      amount: call?.amount.value ?? null,
    };
  }

  #findMerchantId(reference: string): string | null {
    return this.acquirer.books.findCall(reference)?.merchantId ?? null;
  }
}

/** Without the capability no payer is challenged: a card whose issuer asks for a challenge is declined. */
function limitChallenge({ can }: AcquirerCapabilities, request: AuthorisationRequest): AuthorisationRequest {
  const { instrument } = request;
  if (can.challenge || instrument.kind === 'present') return request;
  return { ...request, instrument: { ...instrument, isChallengePossible: false } };
}

function createIncomingCall(kind: RuledCallKind, reference: string | null): IncomingAcquirerCall {
  return { kind, reference, originalReference: null, merchantId: null, terminalId: null, amount: null };
}

function createUnknownState(reference: string): SimulatedCallState {
  return { reference, outcome: 'NotFound', amount: null, call: null };
}

function isCallUndecided(answer: unknown): boolean {
  return isCallState(answer) && answer.outcome === 'InProgress';
}

function isCallState(answer: unknown): answer is SimulatedCallState {
  return typeof answer === 'object' && answer !== null && 'outcome' in answer;
}

/** Replaces the true state in an answer, as the rules demand. */
function applyMisstatements<T extends SimulatedCallState>(
  actual: T,
  { isContradicted, isAmountMisstated }: RuleOutcome,
): T {
  const reported = isContradicted ? { ...actual, ...contradictState(actual) } : actual;
  return isAmountMisstated && reported.amount !== null
    ? { ...reported, amount: addOneMinorUnit(reported.amount) }
    : reported;
}

function addOneMinorUnit(amount: Money): Money {
  return add(amount, money(1, amount.currencyCode));
}

/** The opposite of the true state, as two inconsistent data centres of an acquirer may report it. */
function contradictState(callState: SimulatedCallState): SimulatedCallState {
  switch (callState.outcome) {
    case 'Approved':
      return { ...callState, outcome: 'Declined' };
    case 'Declined':
    case 'Referred':
    case 'Failed':
      return { ...callState, outcome: 'Approved' };
    case 'Challenged':
    case 'InProgress':
    case 'Reversed':
      return { ...callState, outcome: 'NotFound' };
    case 'NotFound':
      return { ...callState, outcome: 'InProgress' };
  }
}
