import type { UnreadableDetail } from '@pos/core/activities';
import { formatScope, type Scope } from '@pos/core/identity';
import type { Log } from '@pos/service-kit/telemetry';
import { limitUnreadable, toMemberPattern, type UnreadableMember } from '../epos-calls/unreadable-members.js';
import { countUnreadable } from './epos-call-metrics.js';

/** Devices list sessions every second, so the same finding is named once in this time. */
const REPEAT_AFTER_MS = 10 * 60_000;
const FINDINGS_MAX = 5_000;
const NAMED_MAX = 20;

/** An answered call, or one whose answer cannot be used. */
interface ReadAnswer {
  readonly call: string;
  readonly transport: string | null;
  /** Whether it is a call of the EPOS Data API, or of the pay-at-table contract over one. */
  readonly isData: boolean;
  readonly unreadable: readonly UnreadableMember[];
}

/** Counts and logs the members of answers that could not be read, and returns those that were not named recently. */
export class UnreadableReporter {
  readonly #namedAtMs = new Map<string, number>();

  constructor(private readonly log: Pick<Log, 'warn'>) {}

  reportUnreadable(scope: Scope, { call, transport, isData, unreadable }: ReadAnswer): UnreadableDetail[] {
    for (const { isSkipped } of unreadable) countUnreadable(call, { transport, isSkipped });
    const fresh = unreadable.filter((each) => this.#isFresh(`${formatScope(scope)} ${call} ${toKey(each)}`));
    const named = fresh.slice(0, NAMED_MAX).map(limitUnreadable);
    const details = named.map((each) => ({ ...each, clause: findClause(each, isData) }));
    if (details.length > 0) {
      this.log.warn('epos.members_unreadable', {
        ...{ account_id: scope.accountId, call, way: transport, found: unreadable.length },
        members: details.map(({ element, member, clause }) => `${element} ${member} ${clause}`),
      });
    }
    return details;
  }

  #isFresh(key: string): boolean {
    const now = performance.now();
    const namedAt = this.#namedAtMs.get(key);
    if (namedAt !== undefined && now - namedAt < REPEAT_AFTER_MS) return false;
    if (this.#namedAtMs.size >= FINDINGS_MAX) this.#namedAtMs.clear();
    this.#namedAtMs.set(key, now);
    return true;
  }
}

/** All weighed items of a restaurant are one finding; each bill that cannot be shown is one of its own. */
function toKey({ element, member, isSkipped }: UnreadableMember): string {
  return `${isSkipped ? element.slice(0, 100) : ''} ${toMemberPattern(member).slice(0, 200)}`;
}

/** The clause of the EPOS tester that the member breaks. */
function findClause({ problem }: UnreadableMember, isData: boolean): string {
  if (!isData) return 'answer.schema';
  if (problem === 'is missing') return 'schema.missing';
  return problem.startsWith('Invalid option') ? 'schema.enum' : 'schema.value';
}
