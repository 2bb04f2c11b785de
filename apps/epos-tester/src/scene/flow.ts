import type { EposCapability } from '@pos/core/tables/epos-capability';
import type { Parameter, RunParams } from './run-params.js';
import type { TesterStage } from './scene.js';

/** One step of a flow: it writes down what it asks, hears and finds, and leaves what it learnt in the scene. */
export interface FlowStep {
  readonly name: string;
  readonly act: (stage: TesterStage) => Promise<void>;
  /** How long the step waits by design, in milliseconds: it may take so much longer. Absent: it does not wait. */
  readonly waitsMs?: (params: RunParams) => number;
}

/** A flow: its name, what may be chosen, and its steps. Every flow ends with the same cleanup. */
export interface Flow {
  readonly name: string;
  readonly params: readonly Parameter[];
  /** What it cannot be played without where the EPOS Data API is spoken: an EPOS that offers less is not asked. */
  readonly needs: readonly EposCapability[];
  /** Why it shows nothing of an EPOS whose orders stand for sessions (ADR 0028); absent: it is played there, too. */
  readonly whyNotOverOrders?: string;
  /** At least one. */
  readonly steps: (params: RunParams) => readonly [FlowStep, ...FlowStep[]];
}
