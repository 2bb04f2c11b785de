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
