import type { EposFault, EposSimulator } from '@pos/sandbox/epos-simulator';
import type { ClauseId } from '../checks/clauses.js';
import type { GroupTransport } from '../clause-coverage/transports.js';

/** The EPOS of the sandbox with one defect, and the check that must detect it. */
export interface ZooMember {
  /** The defect, as the rest of a sentence that begins with "An EPOS". Unique among the members. */
  readonly epos: string;
  readonly broken: (eposSimulator: EposSimulator) => void;
  /** The flow that tests for it, and the parameters of that flow beside its defaults. */
  readonly flow: string;
  readonly params?: Record<string, unknown>;
  /** The step of that flow that fails, and the clause of its first failed check. */
  readonly step: string;
  readonly clause: ClauseId;
  /** Other clauses that the defect breaks, which other flows may report first. */
  readonly also?: readonly ClauseId[];
  /** The transports, where the defect is possible only over some. */
  readonly over?: readonly GroupTransport[];
}

/** The members that break one contract, and its transports. */
export interface ZooRestaurant {
  readonly contract: string;
  readonly transports: readonly GroupTransport[];
  readonly members: readonly ZooMember[];
}

/** An EPOS that keeps the contract in another way than the reference EPOS, so the tester must find nothing. */
export interface HonestTill {
  /** The difference, as the rest of a sentence that begins with "An EPOS". Unique among the tills. */
  readonly epos: string;
  readonly adjust: (eposSimulator: EposSimulator) => void;
  readonly transports: readonly GroupTransport[];
}

/** Breaks an EPOS by faults of its control API. */
export function createFaultyMember(fault: EposFault) {
  return ({ faults }: EposSimulator): void => {
    faults.replaceFaults([fault]);
  };
}
