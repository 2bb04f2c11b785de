import { chainHash } from '@pos/core/ids';

/** Where a subject's hash chain ends: the hash of its last record, and how many there are. */
export interface Chain {
  readonly head: Buffer;
  readonly length: number;
}

export const EMPTY_CHAIN: Chain = { head: Buffer.alloc(0), length: 0 };

/** The columns of a record that make it a link. */
export interface Link {
  readonly number: number;
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
}

/** Links records to the end of a chain, one after another. */
export class Linking {
  #end: Chain;

  constructor(from: Chain) {
    this.#end = from;
  }

  /** Where the chain ends by now. */
  get end(): Chain {
    return this.#end;
  }

  /** Adds a record; its text may say its number. */
  add(record: (number: number) => string): Link {
    const { head: previous_hash, length } = this.#end;
    const number = length + 1;
    const hash = chainHash(previous_hash, record(number));
    this.#end = { head: hash, length: number };
    return { number, previous_hash, hash };
  }
}

/** A record as it is stored, with the text that its hash was made of. */
export type LinkedRecord = Link & { readonly record: string };

/**
 * What is wrong with a chain, in words: nothing when each record is as it was written. An edited, removed, added or
 * reordered record breaks its own link or the end that the subject's row keeps.
 */
export function chainFaults(subject: string, end: Chain, unordered: readonly LinkedRecord[]): string[] {
  const records = [...unordered].sort((first, second) => first.number - second.number);
  const faults: string[] = [];
  let head: Buffer = EMPTY_CHAIN.head;
  records.forEach(({ number, previous_hash, hash, record }, index) => {
    if (number !== index + 1) faults.push(`record ${index + 1} is missing, ${number} stands in its place`);
    if (!previous_hash.equals(head)) faults.push(`record ${number} does not follow the one before it`);
    if (!chainHash(previous_hash, record).equals(hash)) faults.push(`record ${number} is not as it was written`);
    head = hash;
  });
  if (end.length !== records.length) {
    faults.push(`the ${subject} knows of ${end.length} records, there are ${records.length}`);
  }
  if (!end.head.equals(head)) faults.push(`the chain does not end where the ${subject} says`);
  return faults;
}
