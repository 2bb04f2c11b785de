import type { ServerInterceptor } from '@grpc/grpc-js';
import type { Capabilities, GetCapabilitiesResponse } from '@pos/grpc-contracts/acquirer';
import type { Capability } from '@pos/core/acquirer';
import type { ClauseId } from '../clauses/clauses.js';
import type { CapabilityName } from '../scene/capability-names.js';
import { changeAnswers, ignoreNoChallenge, type ZooMember } from './zoo-member.js';

interface DeclaredFalsely {
  readonly member: CapabilityName;
  readonly capability: Capability;
  /** What an acquirer does that can do it. */
  readonly does: string;
  /** The flow for an acquirer that lacks it. */
  readonly lacks: string;
  /** A flow that needs it, and the clause by which the flow reports an acquirer that cannot do it. */
  readonly needs: string;
  readonly clause?: ClauseId;
  /** What else an acquirer ignores that does not declare what it does. */
  readonly ignores?: readonly ServerInterceptor[];
}

const DECLARED_FALSELY: readonly DeclaredFalsely[] = [
  {
    ...{ member: 'separateCapture', capability: 'separate_capture', does: 'holds money', lacks: 'separate-capture' },
    needs: 'authorise-hold',
  },
  {
    ...{ member: 'partialCapture', capability: 'partial_capture', does: 'captures a part', lacks: 'partial-capture' },
    needs: 'capture-part',
  },
  {
    ...{ member: 'multipleCaptures', capability: 'multiple_captures', does: 'captures twice' },
    ...{ lacks: 'multiple-captures', needs: 'capture-parts' },
  },
  {
    ...{ member: 'incrementalAuthorisation', capability: 'incremental_authorisation', does: 'raises a hold' },
    ...{ lacks: 'increase', needs: 'increase' },
  },
  {
    ...{ member: 'partialRefund', capability: 'partial_refund', does: 'refunds a part', lacks: 'partial-refund' },
    needs: 'refund-part',
  },
  {
    ...{ member: 'multipleRefunds', capability: 'multiple_refunds', does: 'refunds twice', lacks: 'multiple-refunds' },
    needs: 'refund-parts',
  },
  {
    ...{ member: 'reversalAfterCapture', capability: 'reversal_after_capture', does: 'reverses a purchase' },
    ...{ lacks: 'reversal-after-capture', needs: 'reverse-purchase' },
  },
  {
    ...{ member: 'partialReversal', capability: 'partial_reversal', does: 'releases the rest of a hold' },
    ...{ lacks: 'partial-reversal', needs: 'capture-release' },
  },
  {
    ...{ member: 'reversalOfUnknownReference', capability: 'reversal_of_unknown_reference' },
    ...{ does: 'reverses an unknown reference', lacks: 'unknown-reversal', needs: 'reverse-unknown' },
    clause: 'answer.outcome',
  },
  {
    ...{ member: 'challenge', capability: 'challenge', does: 'challenges a payer', lacks: 'challenge' },
    ...{ needs: 'challenge-passed', clause: 'challenge.asks', ignores: [ignoreNoChallenge()] },
  },
  {
    ...{ member: 'cardVerification', capability: 'card_verification', does: 'checks a card over 0' },
    ...{ lacks: 'card-verification', needs: 'verify-card' },
  },
  {
    ...{ member: 'merchantInitiated', capability: 'merchant_initiated', does: 'charges a card without its payer' },
    ...{ lacks: 'merchant-initiated', needs: 'stored-card' },
  },
  {
    ...{ member: 'cardholderNotPresent', capability: 'cardholder_not_present', does: 'charges a card by telephone' },
    ...{ lacks: 'cardholder-not-present', needs: 'moto' },
  },
  {
    ...{ member: 'bookedList', capability: 'booked_list', does: 'lists its bookings', lacks: 'booked-list' },
    ...{ needs: 'authorise-hold', clause: 'list.complete' },
  },
];

/** Acquirers that declare what they cannot do, or do what they do not declare. */
export const CAPABILITY_MEMBERS: readonly ZooMember[] = DECLARED_FALSELY.flatMap(
  ({ member, capability, does, lacks, needs, clause = 'capabilities.declared', ignores = [] }): ZooMember[] => [
    {
      defect: `that ${does} and does not declare it`,
      ...{ flow: `lacks-${lacks}`, clause: 'capabilities.undeclared' },
      interceptors: [declare(member, false), ...ignores],
    },
    {
      defect: `that declares that it ${does}, and refuses it`,
      ...{ flow: needs, clause },
      prepare: ({ capabilities }) => {
        capabilities.limit({ lacks: [capability] });
      },
      interceptors: [declare(member, true)],
    },
  ],
);

/** Declares one capability, whether the acquirer has it or not. */
function declare(member: CapabilityName & keyof Capabilities, isDeclared: boolean) {
  return changeAnswers<GetCapabilitiesResponse>('GetCapabilities', ({ capabilities }) => ({
    capabilities: capabilities === undefined ? undefined : { ...capabilities, [member]: isDeclared },
  }));
}
