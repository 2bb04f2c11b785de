import type { Parameter, RunParams } from './run-params.js';
import type { Stage } from './scene.js';

/** One step of a flow: it writes down what it asks, hears and finds, and leaves what it learnt in the scene. */
export interface FlowStep {
  readonly name: string;
  readonly act: (stage: Stage) => Promise<void>;
  /** How long the step waits by design, in milliseconds: it may take so much longer. Absent: it does not wait. */
  readonly waitsMs?: (params: RunParams) => number;
}

/** A flow: its name, what may be chosen, and its steps. Every flow ends with the same cleanup. */
export interface Flow {
  readonly name: string;
  readonly params: readonly Parameter[];
  /** At least one. */
  readonly steps: (params: RunParams) => readonly [FlowStep, ...FlowStep[]];
}
