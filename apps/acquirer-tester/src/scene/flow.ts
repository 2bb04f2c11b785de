import type { Skip } from '@pos/conformance/records';
import type { OpenStep } from '@pos/conformance/checks';
import type { Capabilities } from '@pos/grpc-contracts/acquirer';
import type { ClauseId } from '../clauses/clauses.js';
import type { Profile } from '../profile/profile.js';
import type { CapabilityName } from './capability-names.js';
import type { FlowContext } from './flow-context.js';

/** The scene and its current step. */
export interface Stage {
  readonly scene: FlowContext;
  readonly step: OpenStep<ClauseId>;
}

/** Runs the steps of a flow. A step that does not succeed ends the flow. */
export interface StepRunner {
  readonly scene: FlowContext;
  /** `waitsMs`: how long the step waits by design; its limit is extended by it. */
  readonly step: <T>(name: string, act: (stage: Stage) => Promise<T>, waitsMs?: number) => Promise<T>;
}

/** What is known about the adapter before a flow is played. */
export interface Subject {
  readonly profile: Profile;
  readonly hasCredential: boolean;
  readonly capabilities: Capabilities;
}

/** A flow: a scenario of calls, with the checks that its clauses need. Each ends with the same check of the books. */
export interface Flow {
  readonly name: string;
  /** What it tests, in a few words. */
  readonly tests: string;
  /** What the adapter must declare. */
  readonly needs: readonly CapabilityName[];
  /** Why it is not played with this profile; null when it is. */
  readonly findSkip?: (subject: Subject) => Skip | null;
  readonly play: (run: StepRunner) => Promise<void>;
}

/** A flow that the run cannot play: a reason against the certificate. */
export function skipUntested(reason: string): Skip {
  return { kind: 'not tested', reason };
}

/** A flow about what the adapter declares that it cannot do, or that it does. */
export function skipInapplicable(reason: string): Skip {
  return { kind: 'not applicable', reason };
}

/** The profile data without which several flows are not tested. */
export const WITHOUT = {
  lateCard: ({ profile }: Subject): Skip | null =>
    profile.cards.approvesLate === null ? skipUntested('The profile has no card that approves late.') : null,
  challengedCard: ({ profile }: Subject): Skip | null =>
    profile.cards.challenges === null
      ? skipUntested('The profile has no card whose issuer asks for a challenge.')
      : null,
  challengeCard: ({ profile }: Subject): Skip | null =>
    profile.cards.challenges === null || profile.challengeAnswers === null
      ? skipUntested('The profile has no card whose challenge a program can complete.')
      : null,
} as const;
