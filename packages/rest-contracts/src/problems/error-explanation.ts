/** What a reason means to an integrator. */
export interface ErrorExplanation {
  /** What the service found. */
  readonly meaning: string;
  /** What the sender of the request does next. */
  readonly action: string;
}
