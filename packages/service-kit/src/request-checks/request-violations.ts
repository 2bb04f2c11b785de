import { Refusal, type RefusalCode } from '@pos/core/refusals';

/** Collects a message by member or header for every violation of one request. The first kind decides the reason. */
export class RequestViolations {
  readonly #refusals: Refusal[] = [];

  get isEmpty(): boolean {
    return this.#refusals.length === 0;
  }

  /** Runs one check. A refusal of the request's shape is collected, so that later checks run too. */
  collect<T>(check: () => T): T | null {
    try {
      return check();
    } catch (error) {
      this.#addRefusal(error);
      return null;
    }
  }

  /** Runs one more check of a refused request, and adds its violations to the collected ones. */
  async collectMore(check: () => void | Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      this.#addRefusal(error);
    }
  }

  #addRefusal(error: unknown): void {
    if (!(error instanceof Refusal) || !COLLECTED_CODES.has(error.code)) throw error;
    this.#refusals.push(error);
  }

  /** Refuses the request once with all violations, if there are any. */
  throwIfAny(): void {
    const [first, ...more] = this.#refusals;
    if (first === undefined) return;
    if (more.length === 0) throw first;
    const members = new Map<string, readonly string[]>();
    for (const [member, messages] of this.#refusals.flatMap((refusal) => Object.entries(refusal.members))) {
      members.set(member, [...(members.get(member) ?? []), ...messages]);
    }
    throw new Refusal(first.code, 'The request cannot be accepted as it is; see `errors`.', {
      members: Object.fromEntries(members),
    });
  }
}

/** The refusals that name members or headers of the request itself; each answers 400. */
const COLLECTED_CODES: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'version_invalid',
  'partner_header_invalid',
  'idempotency_key_invalid',
  'validation_failed',
]);
