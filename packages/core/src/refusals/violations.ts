import { containsCardNumber } from '../cards/card-number.js';
import { Refusal, type RefusalMembers } from './refusal.js';

/** Everything that is wrong with a request: it is refused once, with every member named. */
export class Violations {
  readonly #members = new Map<string, string[]>();

  /** Starts with the violations that the caller found before by a lookup. */
  constructor(found: RefusalMembers = {}) {
    for (const [member, messages] of Object.entries(found)) this.#members.set(member, [...messages]);
  }

  add(member: string, message: string): void {
    this.#members.set(member, [...(this.#members.get(member) ?? []), message]);
  }

  addAll({ members }: Violations): void {
    for (const [member, messages] of Object.entries(members)) {
      for (const message of messages) this.add(member, message);
    }
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  get members(): RefusalMembers {
    return Object.fromEntries(this.#members);
  }

  /** Throws `validation_failed` unless nothing is wrong. */
  throwIfAny(detail: string): void {
    if (!this.isEmpty) throw new Refusal('validation_failed', detail, { members: this.members });
  }
}

const CARD_NUMBER_REFUSED =
  'must not hold a card number; an account whose own numbers look like one has the setting allowsBareCardNumbers';

export const METADATA_BYTES_MAX = 16 * 1024;

/** Adds the violations of the members that both kinds of intent have. */
export function addSharedViolations(
  faults: Violations,
  {
    expireAt,
    reference = '',
    metadata = {},
  }: {
    readonly expireAt?: Date | null | undefined;
    readonly reference?: string | undefined;
    readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  },
  { now, allowsBareCardNumbers = false }: { readonly now: Date; readonly allowsBareCardNumbers?: boolean },
): void {
  if (!allowsBareCardNumbers) {
    if (containsCardNumber(reference, 'any')) faults.add('reference', CARD_NUMBER_REFUSED);
    if (containsCardNumber(JSON.stringify(metadata), 'any')) faults.add('metadata', CARD_NUMBER_REFUSED);
  }
  if (expireAt instanceof Date && expireAt <= now) faults.add('expireAt', 'must be in the future');
  if (new TextEncoder().encode(JSON.stringify(metadata)).length > METADATA_BYTES_MAX) {
    faults.add('metadata', `must not be above ${METADATA_BYTES_MAX} bytes of JSON`);
  }
}
