import type { EposSimulator } from '@pos/sandbox/epos-simulator/epos-simulator';
import type { EposFault } from '@pos/sandbox/epos-simulator/epos-faults';
import type { ClauseId } from '../checks/clauses.js';
import type { GroupTransport } from '../clause-coverage/transports.js';

/** The EPOS of the sandbox with one deviation from its contract, and what has to find it. */
export interface ZooMember {
  /** What is wrong with it, as the rest of a sentence that begins with "An EPOS". No two members have the same. */
  readonly epos: string;
  readonly broken: (door: EposSimulator) => void;
  /** The flow that is made for it, and what that flow needs beside its defaults. */
  readonly flow: string;
  readonly params?: Record<string, unknown>;
  /** The step of that flow which fails, and the clause that its first failed check names. */
  readonly step: string;
  readonly clause: ClauseId;
  /** Other clauses that the deviation breaks, which other flows may find first. */
  readonly also?: readonly ClauseId[];
  /** Where it can be broken so only over some of the ways. */
  readonly over?: readonly GroupTransport[];
}

/** Breaks an EPOS by what its control API can do to it. */
export function createFaultyMember(fault: EposFault) {
  return ({ faults }: EposSimulator): void => {
    faults.replaceFaults([fault]);
  };
}
