import type { GetCapabilitiesResponse, Result } from '@pos/grpc-contracts/acquirer';
import { add, money } from '@pos/core/money';
import { AcquirerError, type AcquirerSimulator } from '@pos/sandbox/acquirer';
import { changeAnswers, changeRequests, ignoreNoChallenge, type ZooMember } from './zoo-member.js';

type AcquirerCallState = Awaited<ReturnType<AcquirerSimulator['inquire']>>;
interface ResultAnswer {
  readonly result?: Result;
}

/** Acquirers whose answers are wrong, although their books are right. */
export const ANSWER_MEMBERS: readonly ZooMember[] = [
  {
    defect: 'that approves another amount than it was asked for',
    ...{ flow: 'authorise-hold', clause: 'answer.amount' },
    prepare: patchAuthorise((state) =>
      state.amount === null ? state : { ...state, amount: add(state.amount, money(1, state.amount.currencyCode)) },
    ),
  },
  {
    defect: 'that multiplies amounts of currencies without decimal places by a hundred',
    ...{ flow: 'currencies', clause: 'answer.amount' },
    prepare: patchAuthorise((state) =>
      state.amount?.currencyCode === 'JPY' ? { ...state, amount: money(state.amount.value * 100, 'JPY') } : state,
    ),
  },
  {
    defect: 'that answers with another reference',
    ...{ flow: 'authorise-hold', clause: 'answer.reference' },
    prepare: patchAuthorise((state) => ({ ...state, reference: state.reference.toUpperCase() })),
  },
  {
    defect: 'whose approvals all have the same transaction',
    ...{ flow: 'currencies', clause: 'answer.transaction', also: ['inquire.agrees'] },
    prepare: patchAuthorise((state) =>
      state.call === null ? state : { ...state, call: { ...state.call, transactionId: ONE_TRANSACTION } },
    ),
  },
  {
    defect: 'whose approvals have no authorisation code',
    ...{ flow: 'authorise-hold', clause: 'answer.auth-code' },
    prepare: patchAuthorise((state) =>
      state.call === null ? state : { ...state, call: { ...state.call, authCode: '' } },
    ),
  },
  {
    defect: 'whose approvals have no time',
    ...{ flow: 'authorise-hold', clause: 'answer.time' },
    interceptors: [changeResults('Authorise', (result) => ({ ...result, processedAt: undefined }))],
  },
  {
    defect: 'whose approvals do not show the card',
    ...{ flow: 'authorise-hold', clause: 'answer.card' },
    interceptors: [changeResults('Authorise', (result) => ({ ...result, card: undefined }))],
  },
  {
    defect: 'that masks only four digits of a card',
    ...{ flow: 'authorise-hold', clause: 'answer.mask' },
    interceptors: [changeCards((card) => ({ ...card, maskedNumber: `445653000009****` }))],
  },
  {
    defect: 'that names schemes in its own way',
    ...{ flow: 'authorise-hold', clause: 'answer.card-scheme' },
    interceptors: [changeCards((card) => ({ ...card, scheme: 'Visa Debit' }))],
  },
  {
    defect: 'that does not name the authorisation of a capture',
    ...{ flow: 'capture-full', clause: 'answer.original' },
    interceptors: [changeResults('Capture', (result) => ({ ...result, originalReference: '' }))],
  },
  {
    defect: 'that repeats the card number in its message',
    ...{ flow: 'authorise-hold', clause: 'secret.card-number' },
    prepare: (simulator) => {
      const authorise = simulator.authorise.bind(simulator);
      simulator.authorise = async (request) => {
        const state = await authorise(request);
        const message = `Approved for ${request.instrument.card.number}`;
        return state.call === null ? state : { ...state, call: { ...state.call, message } };
      };
    },
  },
  {
    defect: 'that answers a decline with an error status',
    ...{ flow: 'authorise-declined', clause: 'authorise.declines' },
    prepare: patchAuthorise((state) => {
      if (state.outcome === 'Declined') throw new AcquirerError('FailedPrecondition', 'declined');
      return state;
    }),
  },
  {
    defect: 'that answers an increase with what was added',
    ...{ flow: 'increase', clause: 'answer.amount' },
    prepare: (simulator) => {
      const followUp = simulator.followUp.bind(simulator);
      simulator.followUp = async (kind, request) => ({ ...(await followUp(kind, request)), amount: request.amount });
    },
  },
  {
    defect: 'that does not say that a challenge was passed',
    ...{ flow: 'challenge-passed', clause: 'challenge.passes' },
    interceptors: [changeResults('CompleteChallenge', (result) => ({ ...result, challengePassed: false }))],
  },
  {
    defect: 'whose challenge has no page',
    ...{ flow: 'challenge-passed', clause: 'challenge.asks' },
    interceptors: [changeResults('Authorise', (result) => ({ ...result, challenge: undefined }))],
  },
  {
    defect: 'that challenges a payer who cannot be challenged',
    ...{ flow: 'challenge-none', clause: 'challenge.none' },
    interceptors: [ignoreNoChallenge()],
  },
  {
    defect: 'that accepts every credential',
    ...{ flow: 'credential', clause: 'secret.credential', checksCredential: false },
  },
  {
    defect: 'whose capabilities have no name',
    ...{ flow: 'capabilities', clause: 'capabilities.well-formed' },
    interceptors: [
      changeAnswers<GetCapabilitiesResponse>('GetCapabilities', ({ capabilities }) => ({
        capabilities: capabilities === undefined ? undefined : { ...capabilities, adapterName: '' },
      })),
    ],
  },
  {
    defect: 'that accepts currencies in small letters',
    ...{ flow: 'bad-authorisations', clause: 'input.refused', also: ['input.books-nothing'] },
    interceptors: [
      changeRequests<{ readonly currency: string }>('Authorise', (request) => ({
        ...request,
        currency: request.currency.toUpperCase(),
      })),
    ],
  },
];

const ONE_TRANSACTION = '7f0f3a52-0d5c-4c1e-9d6c-5b8f5a3e9c11';

/** Changes what Authorise answers, and not what is booked. */
function patchAuthorise(change: (state: AcquirerCallState) => AcquirerCallState) {
  return (simulator: AcquirerSimulator): void => {
    const authorise = simulator.authorise.bind(simulator);
    simulator.authorise = async (request) => change(await authorise(request));
  };
}

function changeResults(method: string, change: (result: Result) => Result) {
  return changeAnswers<ResultAnswer>(method, ({ result }) => (result === undefined ? {} : { result: change(result) }));
}

function changeCards(change: (card: NonNullable<Result['card']>) => Result['card']) {
  return changeResults('Authorise', (result) =>
    result.card === undefined ? result : { ...result, card: change(result.card) },
  );
}
