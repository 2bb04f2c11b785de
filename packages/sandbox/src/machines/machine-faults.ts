/** Faults of one machine, each applied once. Times are real milliseconds. */
export interface MachineFaults {
  /** The stream breaks at once, after the next `confirmed`, or between the acquirer's approval and its report. */
  readonly unplug?: { readonly when: 'now' | 'after-confirm' | 'after-approval'; readonly forMs: number } | undefined;
  /** The next result is reported this much later. */
  readonly answerLateByMs?: number | undefined;
  /** Each report of the next session is sent twice. */
  readonly reportTwice?: boolean | undefined;
  /** Until changed: the machine is in use for something else. */
  readonly inUse?: boolean | undefined;
  /** Until changed: it confirms and reports every session this much later. */
  readonly slowByMs?: number | undefined;
}
