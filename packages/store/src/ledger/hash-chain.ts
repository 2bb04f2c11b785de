import { computeChainHash } from '@pos/core/ids';

/** The end of a subject's hash chain: the hash of its last record, and the number of records. */
export interface Chain {
  readonly head: Buffer;
  readonly length: number;
}

const PROBLEMS_MAX = 100;

export const EMPTY_CHAIN: Chain = { head: Buffer.alloc(0), length: 0 };

/** The columns of a record that make it a link. */
export interface ChainLink {
  readonly number: number;
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
}

/** Links records to the end of a chain, one after another. */
export class ChainBuilder {
  #end: Chain;

  constructor(from: Chain) {
    this.#end = from;
  }

  /** Where the chain ends by now. */
  get end(): Chain {
    return this.#end;
  }

  /** Adds a record; its text may contain its number. */
  add(record: (number: number) => string): ChainLink {
    const { head: previous_hash, length } = this.#end;
    const number = length + 1;
    const hash = computeChainHash(previous_hash, record(number));
    this.#end = { head: hash, length: number };
    return { number, previous_hash, hash };
  }
}

/** A record as it is stored, with the text that its hash was made of. */
export type LinkedRecord = ChainLink & { readonly record: string };

/**
 * Recomputes a chain. Every record whose text, link or position has changed is a fault, and so is an end that
 * differs from the one in the subject's row. Takes the records in ascending order, so that a long chain is read in
 * pages.
 */
export class ChainVerifier {
  readonly #problems: string[] = [];
  #head: Buffer;
  #length: number;

  /** `from` is what the first record follows: nothing, an anchor, or the end of the records that were verified before. */
  constructor(
    private readonly subject: string,
    from: Chain = EMPTY_CHAIN,
  ) {
    this.#head = from.head;
    this.#length = from.length;
  }

  /** The end of the records that were added so far. */
  get end(): Chain {
    return { head: this.#head, length: this.#length };
  }

  /** What was found in the records that were added so far. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  add({ number, previous_hash, hash, record }: LinkedRecord): void {
    this.#length += 1;
    const addProblem = (text: string): void => {
      if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(text);
    };
    if (number !== this.#length) addProblem(`record ${this.#length} is missing, the next record is ${number}`);
    if (!previous_hash.equals(this.#head)) addProblem(`record ${number} does not follow the one before it`);
    if (!computeChainHash(previous_hash, record).equals(hash))
      addProblem(`record ${number} was changed after it was written`);
    this.#head = hash;
  }

  /** The problems as text, for at most a hundred records; empty when the chain is intact. */
  verifyEnd({ head, length }: Chain): string[] {
    const problems = [...this.#problems];
    if (length !== this.#length) {
      problems.push(`the ${this.subject} counts ${length} records, the chain has ${this.#length}`);
    }
    if (!head.equals(this.#head)) problems.push(`the last hash of the chain is not that of the ${this.subject}`);
    return problems;
  }
}
