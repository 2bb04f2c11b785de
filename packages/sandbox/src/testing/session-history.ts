/** What clients and gateways observed, in milliseconds of one clock. Each client does one thing after the other. */
export type HistoryEvent = LockObserved | ReleaseObserved | LeaseObserved | RecordStarted;

/** A device received the answer that it has the session: at its first lock, or at a later query. */
interface LockObserved {
  readonly is: 'locked';
  readonly device: string;
  readonly session: string;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** A device began to release the session, or another to take it over; from then on it may no longer have it. */
interface ReleaseObserved {
  readonly is: 'letGo';
  readonly device: string;
  readonly session: string;
  readonly askedAt: number;
  /** When it was certainly released; null when no answer arrived. */
  readonly answeredAt: number | null;
}

/** A gateway checked whether its runner still has a payment. */
interface LeaseObserved {
  readonly is: 'leaseFound';
  readonly gateway: string;
  readonly payment: string;
  readonly fence: number;
  /** Until when it certainly had it; null when it had lost it. */
  readonly liveUntil: number | null;
  readonly answeredAt: number;
}

/** A gateway sent a record call to the EPOS. */
interface RecordStarted {
  readonly is: 'recordBegun';
  readonly gateway: string;
  readonly device: string;
  readonly session: string;
  readonly payment: string;
  readonly fence: number;
  readonly at: number;
}

/**
 * Lists the violations, one sentence each: two holders of one session at the same time; a record call whose runner did
 * not check its lease right before; one of a runner that had been replaced; one of a device that cannot have had the
 * session. An answer that did not arrive proves nothing, so it is no violation.
 */
export function findHistoryViolations(events: readonly HistoryEvent[]): string[] {
  return [...findDoubleHolds(events), ...findRecordsWithoutLease(events), ...findRecordsWithoutHold(events)];
}

/** The time during which a device certainly had a session, and the longer time during which it may have had it. */
interface HoldInterval {
  readonly device: string;
  readonly session: string;
  readonly mayFrom: number;
  readonly from: number;
  readonly until: number;
  readonly mayUntil: number;
}

function buildHoldIntervals(events: readonly HistoryEvent[]): HoldInterval[] {
  const holds: HoldInterval[] = [];
  const open = new Map<string, HoldInterval>();
  const observed = events.filter((event) => event.is === 'locked' || event.is === 'letGo');
  for (const event of [...observed].sort((one, other) => one.askedAt - other.askedAt)) {
    const { device, session } = event;
    const holdKey = JSON.stringify([device, session]);
    const openHold = open.get(holdKey);
    if (event.is === 'locked' && openHold === undefined) {
      const openEnd = { until: Number.POSITIVE_INFINITY, mayUntil: Number.POSITIVE_INFINITY };
      open.set(holdKey, { device, session, mayFrom: event.askedAt, from: event.answeredAt, ...openEnd });
    }
    if (event.is === 'letGo' && openHold !== undefined) {
      holds.push({ ...openHold, until: event.askedAt, mayUntil: event.answeredAt ?? Number.POSITIVE_INFINITY });
      open.delete(holdKey);
    }
  }
  return [...holds, ...open.values()];
}

function findDoubleHolds(events: readonly HistoryEvent[]): string[] {
  const holds = buildHoldIntervals(events).filter(({ from, until }) => from < until);
  return holds.flatMap((one, number) =>
    holds
      .slice(number + 1)
      .filter((other) => other.session === one.session && other.device !== one.device)
      .filter((other) => Math.max(one.from, other.from) < Math.min(one.until, other.until))
      .map((other) => {
        const at = Math.max(one.from, other.from);
        return `${one.device} and ${other.device} both hold ${one.session} at ${at}`;
      }),
  );
}

function findRecordsWithoutLease(events: readonly HistoryEvent[]): string[] {
  const leaseChecks = events.filter((event) => event.is === 'leaseFound');
  const used = new Set<LeaseObserved>();
  return listRecordCalls(events).flatMap(({ gateway, payment, fence, at }) => {
    const before = leaseChecks.filter((leaseCheck) => leaseCheck.payment === payment && leaseCheck.answeredAt <= at);
    const ownChecks = before.filter((leaseCheck) => leaseCheck.gateway === gateway && leaseCheck.fence === fence);
    const last = ownChecks.reduce<LeaseObserved | null>(
      (late, leaseCheck) => (late === null || leaseCheck.answeredAt >= late.answeredAt ? leaseCheck : late),
      null,
    );
    const call = `the record call of ${payment} by ${gateway} at ${at}`;
    if (last === null || last.liveUntil === null) return [`${call} began without a lease found live`];
    if (at > last.liveUntil) return [`${call} began when the lease that was found may have been over`];
    if (used.has(last)) return [`${call} began on a look that another call had used up`];
    used.add(last);
    const successor = before.find((leaseCheck) => leaseCheck.liveUntil !== null && leaseCheck.fence > fence);
    return successor === undefined ? [] : [`${call} began after ${successor.gateway} had taken the payment over`];
  });
}

function findRecordsWithoutHold(events: readonly HistoryEvent[]): string[] {
  const holds = buildHoldIntervals(events);
  return listRecordCalls(events).flatMap(({ device, session, payment, at }) => {
    const mayHold = holds.some(
      (hold) => hold.device === device && hold.session === session && hold.mayFrom <= at && at <= hold.mayUntil,
    );
    return mayHold ? [] : [`${payment} was being recorded at ${at} although ${device} did not hold ${session}`];
  });
}

function listRecordCalls(events: readonly HistoryEvent[]): RecordStarted[] {
  return events.filter((event) => event.is === 'recordBegun').sort((one, other) => one.at - other.at);
}
