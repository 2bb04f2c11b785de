import { add, money, zeroMoney } from '@pos/core/money';
import { AcquirerError, type AcquirerSimulator, type AuthorisationTotals } from '@pos/sandbox/acquirer';
import type { ZooMember } from './zoo-member.js';

/** Acquirers that book what they should not, or do not book what they should. */
export const MONEY_MEMBERS: readonly ZooMember[] = [
  {
    defect: 'that books a repeated authorisation again',
    ...{ flow: 'repeat-authorise', clause: 'repeat.same', also: ['answer.transaction'] },
    prepare: ({ acquirer }) => {
      const authorise = acquirer.authorise.bind(acquirer);
      let repeats = 0;
      acquirer.authorise = (request, verdict) => {
        if (acquirer.books.findCall(request.reference) === null) return authorise(request, verdict);
        repeats += 1;
        const again = authorise({ ...request, reference: `again-${repeats}` }, verdict);
        return { ...again, reference: request.reference };
      };
    },
  },
  {
    defect: 'that declines the repeat of an authorisation that was booked',
    ...{ flow: 'repeat-after-lost-answer', clause: 'repeat.after-lost', also: ['repeat.same'] },
    prepare: ({ acquirer }) => {
      const authorise = acquirer.authorise.bind(acquirer);
      acquirer.authorise = (request, verdict) => {
        const isRepeat = acquirer.books.findCall(request.reference) !== null;
        const state = authorise(request, verdict);
        return isRepeat ? { ...state, outcome: 'Declined' } : state;
      };
    },
  },
  {
    defect: 'that ignores other values under a known reference',
    ...{ flow: 'repeat-differs', clause: 'repeat.differs' },
    prepare: ({ acquirer }) => {
      const authorise = acquirer.authorise.bind(acquirer);
      acquirer.authorise = (request, verdict) =>
        acquirer.books.findCall(request.reference) === null
          ? authorise(request, verdict)
          : acquirer.inquire(request.reference);
    },
  },
  {
    defect: 'that forgets a reference after it has refused a call under it',
    ...{ flow: 'repeat-differs', clause: 'repeat.differs', also: ['inquire.agrees'] },
    prepare: ({ acquirer }) => {
      const authorise = acquirer.authorise.bind(acquirer);
      const forgotten = new Set<string>();
      acquirer.authorise = (request, verdict) => {
        const reference = forgotten.has(request.reference) ? `new-${request.reference}` : request.reference;
        try {
          return { ...authorise({ ...request, reference }, verdict), reference: request.reference };
        } catch (error) {
          forgotten.add(request.reference);
          throw error;
        }
      };
    },
  },
  {
    defect: 'that approves an authorisation after its reversal',
    ...{ flow: 'reverse-unknown', clause: 'reverse.prevents' },
    prepare: (simulator) => {
      const authorise = simulator.authorise.bind(simulator);
      simulator.authorise = async (request) => {
        const state = await authorise(request);
        return state.call?.isReversed === true ? { ...state, outcome: 'Approved' } : state;
      };
    },
  },
  {
    defect: 'that captures more than is held',
    ...{ flow: 'capture-over', clause: 'capture.within-hold' },
    prepare: patchTotals((totals) => ({ ...totals, held: add(totals.held, money(100, totals.held.currencyCode)) })),
  },
  {
    defect: 'that refunds more than was taken',
    ...{ flow: 'refund-full', clause: 'refund.within-taken' },
    prepare: patchTotals((totals) => ({ ...totals, refunded: zeroMoney(totals.held.currencyCode) })),
  },
  {
    defect: 'that refunds what was never captured',
    ...{ flow: 'refund-needs-capture', clause: 'refund.needs-capture' },
    prepare: patchFollowUps('Refund', (totals) => ({ ...totals, captured: totals.held })),
  },
  {
    defect: 'that captures after a reversal',
    ...{ flow: 'capture-needs-hold', clause: 'capture.needs-hold' },
    prepare: patchFollowUps('Capture', (totals) => ({ ...totals, isReversed: false })),
  },
  {
    defect: 'that captures in any currency',
    ...{ flow: 'follow-up-currency', clause: 'follow-up.currency' },
    prepare: (simulator) => {
      const followUp = simulator.followUp.bind(simulator);
      simulator.followUp = (kind, request) => {
        const original = simulator.acquirer.books.findCall(request.originalReference);
        const currencyCode = original?.amount.currencyCode ?? request.amount.currencyCode;
        return followUp(kind, { ...request, amount: money(request.amount.value, currencyCode) });
      };
    },
  },
  {
    defect: 'that raises a captured hold',
    ...{ flow: 'increase', clause: 'increase.needs-hold' },
    prepare: patchFollowUps('Increase', (totals) => ({
      ...totals,
      captured: zeroMoney(totals.held.currencyCode),
    })),
  },
  {
    defect: 'that acknowledges a reversal and does not reverse',
    ...{ flow: 'reverse-hold', clause: 'reverse.undoes' },
    prepare: patchReverse(({ simulator, originalReference }, reverse) => {
      const { books } = simulator.acquirer;
      const original = books.findCall(originalReference);
      const state = reverse();
      if (original !== null) books.recordCall(original);
      return state;
    }),
  },
  {
    defect: 'that reverses what was captured by a later call',
    ...{ flow: 'capture-then-reverse', clause: 'reverse.keeps-captured' },
    prepare: patchReverse(({ simulator }, reverse) =>
      withTotals(simulator, (totals) => ({ ...totals, captured: zeroMoney(totals.held.currencyCode) }), reverse),
    ),
  },
  {
    defect: 'that reverses what was refunded',
    ...{ flow: 'reverse-refunded', clause: 'reverse.keeps-refunded' },
    prepare: patchReverse(({ simulator }, reverse) =>
      withTotals(simulator, (totals) => ({ ...totals, refunded: zeroMoney(totals.held.currencyCode) }), reverse),
    ),
  },
  {
    defect: 'that knows no reversal of an unknown reference',
    ...{ flow: 'reverse-unknown', clause: 'answer.outcome', also: ['reverse.unknown'] },
    prepare: patchReverse(({ simulator, originalReference }, reverse) => {
      if (simulator.acquirer.books.findCall(originalReference) === null) {
        throw new AcquirerError('NotFound', 'unknown reference');
      }
      return reverse();
    }),
  },
  {
    defect: 'that refuses a second reversal',
    ...{ flow: 'reverse-hold', clause: 'answer.outcome', also: ['reverse.repeats'] },
    prepare: patchReverse(({ simulator, originalReference }, reverse) => {
      if (simulator.acquirer.books.findCall(originalReference)?.isReversed === true) {
        throw new AcquirerError('FailedPrecondition', 'reversed before');
      }
      return reverse();
    }),
  },
  {
    defect: 'that approves late what was reversed in between',
    ...{ flow: 'late-reversed', clause: 'reverse.late', also: ['reverse.prevents'] },
    prepare: patchReverse(({ simulator, originalReference }, reverse) => {
      const { acquirer } = simulator;
      const original = acquirer.books.findCall(originalReference);
      const isLate = acquirer.inquire(originalReference).outcome === 'InProgress';
      const state = reverse();
      if (isLate && original !== null) acquirer.books.recordCall(original);
      return state;
    }),
  },
  {
    defect: 'that keeps a hold that was released',
    ...{ flow: 'capture-release', clause: 'release.gives-up' },
    prepare: patchFollowUps('Capture', (totals) => ({ ...totals, isRemainderReleased: false })),
  },
  {
    defect: 'that ignores whose challenge is completed',
    ...{ flow: 'challenge-open', clause: 'challenge.md' },
    prepare: ({ acquirer }) => {
      const complete = acquirer.completeChallenge.bind(acquirer);
      acquirer.completeChallenge = (reference, answer) => {
        const md = acquirer.books.findCall(reference)?.challenge?.md ?? answer.md;
        return complete(reference, { ...answer, md });
      };
    },
  },
  {
    defect: 'that approves a failed challenge',
    ...{ flow: 'challenge-failed', clause: 'challenge.fails' },
    prepare: ({ acquirer }) => {
      const complete = acquirer.completeChallenge.bind(acquirer);
      acquirer.completeChallenge = (reference, answer) => complete(reference, { ...answer, hasPassed: true });
    },
  },
  {
    defect: 'that declines a card for want of a challenge, and holds its amount',
    ...{ flow: 'challenge-none', clause: 'challenge.none', also: ['list.only-booked'] },
    prepare: holdUnchallenged,
  },
  {
    defect: 'that completes a reversed challenge',
    ...{ flow: 'challenge-reversed', clause: 'challenge.reversed' },
    prepare: ({ acquirer }) => {
      const complete = acquirer.completeChallenge.bind(acquirer);
      acquirer.completeChallenge = (reference, answer) => {
        const call = acquirer.books.findCall(reference);
        if (call?.isReversed === true) acquirer.books.recordCall({ ...call, isReversed: false });
        return complete(reference, answer);
      };
    },
  },
  {
    defect: 'that refuses to charge a stored card without its payer',
    ...{ flow: 'stored-card', clause: 'stored.charges' },
    prepare: ({ acquirer }) => {
      const authorise = acquirer.authorise.bind(acquirer);
      acquirer.authorise = (request, verdict) => {
        const state = authorise(request, verdict);
        return request.instrument.kind === 'stored' ? { ...state, outcome: 'Declined' } : state;
      };
    },
  },
];

/** Approves where no challenge is possible, and says that it has declined. */
function holdUnchallenged(simulator: AcquirerSimulator): void {
  const held = new Set<string>();
  const [authorise, inquire] = [simulator.authorise.bind(simulator), simulator.inquire.bind(simulator)];
  const hide = <S extends { readonly reference: string }>(state: S): S =>
    held.has(state.reference) ? { ...state, outcome: 'Declined' } : state;
  simulator.authorise = async (request) => {
    const { instrument } = request;
    if (instrument.kind === 'present' || instrument.isRemote || instrument.isChallengePossible !== false) {
      return authorise(request);
    }
    held.add(request.reference);
    return hide(await authorise({ ...request, instrument: { ...instrument, isRemote: true } }));
  };
  simulator.inquire = async (reference) => hide(await inquire(reference));
}

type TotalsChange = (totals: AuthorisationTotals) => AuthorisationTotals;

/** Computes the totals of every authorisation wrongly. */
function patchTotals(change: TotalsChange) {
  return ({ acquirer: { books } }: AcquirerSimulator): void => {
    const compute = books.computeTotals.bind(books);
    books.computeTotals = (call) => change(compute(call));
  };
}

/** Computes the totals wrongly while work is done. */
function withTotals<T>({ acquirer: { books } }: AcquirerSimulator, change: TotalsChange, work: () => T): T {
  const compute = books.computeTotals.bind(books);
  books.computeTotals = (call) => change(compute(call));
  try {
    return work();
  } finally {
    books.computeTotals = compute;
  }
}

/** Computes the totals wrongly for the calls of one kind. */
function patchFollowUps(kind: 'Capture' | 'Refund' | 'Increase', change: TotalsChange) {
  const method = ({ Capture: 'capture', Refund: 'refund', Increase: 'increase' } as const)[kind];
  return (simulator: AcquirerSimulator): void => {
    const { acquirer } = simulator;
    const work = acquirer[method].bind(acquirer);
    acquirer[method] = (request, verdict) => withTotals(simulator, change, () => work(request, verdict));
  };
}

/** Replaces the reversal by one that may call the right one. */
function patchReverse(
  change: (
    at: { readonly simulator: AcquirerSimulator; readonly originalReference: string },
    reverse: () => ReturnType<AcquirerSimulator['acquirer']['reverse']>,
  ) => ReturnType<AcquirerSimulator['acquirer']['reverse']>,
) {
  return (simulator: AcquirerSimulator): void => {
    const { acquirer } = simulator;
    const reverse = acquirer.reverse.bind(acquirer);
    acquirer.reverse = (request, verdict) => {
      const { originalReference } = request;
      return change({ simulator, originalReference }, () => reverse(request, verdict));
    };
  };
}
