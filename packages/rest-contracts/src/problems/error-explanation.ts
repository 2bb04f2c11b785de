/** The explanation of a reason for integrators. */
export interface ErrorExplanation {
  /** The cause of the error. */
  readonly meaning: string;
  /** What the sender of the request can do next. */
  readonly action: string;
}
