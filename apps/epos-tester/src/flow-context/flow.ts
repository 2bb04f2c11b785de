import type { EposCapability } from '@pos/core/tables';
import type { Parameter, RunParams } from './run-params.js';
import type { StepContext } from './flow-context.js';

/** One step of a flow: it records its requests, answers and results, and stores its findings in the flow. */
export interface FlowStep {
  readonly name: string;
  readonly act: (context: StepContext) => Promise<void>;
  /** How long the step waits by design, in milliseconds: its limit is extended by it. Absent: it does not wait. */
  readonly waitsMs?: (params: RunParams) => number;
}

/** A flow: its name, its parameters, and its steps. Every flow ends with the same cleanup. */
export interface Flow {
  readonly name: string;
  readonly params: readonly Parameter[];
  /** The capabilities of the EPOS Data API that it needs. It is not played at an EPOS without them. */
  readonly needs: readonly EposCapability[];
  /** Why it does not apply to an EPOS whose orders represent sessions (ADR 0028). Absent: it is played there, too. */
  readonly whyNotOverOrders?: string;
  /** At least one. */
  readonly steps: (params: RunParams) => readonly [FlowStep, ...FlowStep[]];
}
