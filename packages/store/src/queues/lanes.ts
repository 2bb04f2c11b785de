import { assert } from '@pos/core/refusals';
import { formatScope, parseKnownId, type Scope } from '@pos/core/identity';
import type {
  AttemptRecord,
  ClaimedLane,
  ClaimLimits,
  EposDelivery,
  LaneTraffic,
  PendingDelivery,
} from './claimed-lane.js';
import { advanceFrozenClock } from '../clock/sandbox-clock.js';
import { logAttempts } from './attempt-log.js';
import type { Database } from '../database/database.js';
import { claimEposLanes } from './epos-lanes.js';
import { claimLanes } from './lane-claim.js';
import { completeLane, type LaneResult, recordSecretUse } from './lane-completion.js';
import { type Statement, defineStatement } from '@pos/postgres/statements';
import type { Tx } from '../database/transaction.js';

export type { AttemptRecord, ClaimedDelivery, ClaimedLane, EposDelivery } from './claimed-lane.js';

const READY_ROWS_MAX = 1_000;

/**
 * A read over all accounts without locks. A busy account cannot hide another behind its rows for longer than its
 * cap.
 */
const READY_ACCOUNTS: Readonly<Record<LaneTraffic, Statement>> = {
  live: defineReadyAccountsStatement('not is_replay and not is_epos'),
  replays: defineReadyAccountsStatement('is_replay'),
  epos: defineReadyAccountsStatement('is_epos'),
};

function defineReadyAccountsStatement(condition: string): Statement {
  return defineStatement(
    'find_accounts_with_ready_lanes',
    `select account_id, environment, min(ready_at) as since
     from (
       select account_id, environment, ready_at from lanes
       where ready_at <= clock_timestamp() and ${condition} and account_id || '/' || environment <> all ($1::text[])
       order by ready_at limit ${READY_ROWS_MAX}
     ) ready
     group by account_id, environment
     order by since
     limit $2`,
  );
}

/** The number of accounts to return, without those at the caller's cap. */
interface ReadyAccountsQuery {
  readonly limit: number;
  readonly excluded?: readonly Scope[];
}

/** The webhooks to deliver, in lanes: ordered within a lane, without order between lanes. */
export class LaneQueue {
  constructor(
    private readonly database: Database,
    private readonly traffic: 'live' | 'replays' = 'live',
    /** Whether each attempt is stored in the activity log. */
    private readonly logsAttempts = false,
  ) {}

  /** Accounts with lanes to work on, longest waiting first. Accounts at the caller's cap are left out. */
  listReadyAccounts(query: ReadyAccountsQuery): Promise<Scope[]> {
    return queryReadyAccounts(this.database, this.traffic, query);
  }

  /**
   * Claims due lanes of one account that no worker holds. A lane whose subscription is paused or deleted drops its
   * deliveries here (`Held`, `DeadLettered`) and may be returned without any; it is then free again. Deliveries that
   * were held for a subscription that is not paused any more come first, so that no later event overtakes them.
   */
  async claim(scope: Scope, limits: ClaimLimits): Promise<readonly ClaimedLane[]> {
    const { claimed, frozenUntil } = await this.database.transact(scope, (tx) =>
      claimLanes(tx, { ...limits, traffic: this.traffic }),
    );
    // A retry that is due by real time is a moment that the frozen clock has reached.
    if (frozenUntil !== null) await advanceFrozenClock(this.database, scope, frozenUntil);
    return claimed;
  }

  /**
   * Stores the results of the attempts and releases the lane: due now, or, after a failure, at the next try. A
   * failed delivery of an intent moves to its own lane. False, and nothing changed, if the lease was lost to another
   * worker.
   */
  async complete(lane: ClaimedLane, attempts: readonly AttemptRecord[]): Promise<boolean> {
    return completeClaimedLane(this.database, lane, {
      attempts,
      onCompleted: (tx) => {
        recordSecretUse(tx, lane, attempts);
        if (this.logsAttempts) logAttempts(tx, lane, attempts);
      },
    });
  }
}

/** The events to deliver to EPOSes; as `LaneQueue`, but a lane may also rest. */
export class EposLaneQueue {
  constructor(private readonly database: Database) {}

  listReadyAccounts(query: ReadyAccountsQuery): Promise<Scope[]> {
    return queryReadyAccounts(this.database, 'epos', query);
  }

  async claim(scope: Scope, limits: ClaimLimits): Promise<readonly ClaimedLane<EposDelivery>[]> {
    const { claimed, frozenUntil } = await this.database.transact(scope, (tx) => claimEposLanes(tx, limits));
    if (frozenUntil !== null) await advanceFrozenClock(this.database, scope, frozenUntil);
    return claimed;
  }

  /**
   * A failed delivery moves to its own lane. A delivery that was not tried stays the first, and the lane rests with
   * it.
   */
  async complete(lane: ClaimedLane<EposDelivery>, attempts: readonly AttemptRecord[], restMs = 0): Promise<boolean> {
    return completeClaimedLane(this.database, lane, { attempts, delayMs: restMs });
  }
}

async function queryReadyAccounts(
  database: Database,
  traffic: LaneTraffic,
  { limit, excluded = [] }: ReadyAccountsQuery,
): Promise<Scope[]> {
  const busy = excluded.map(formatScope);
  const rows = await database.readSystem((reader) =>
    reader.query<{ account_id: string; environment: Scope['environment'] }>(READY_ACCOUNTS[traffic], [busy, limit]),
  );
  return rows.map((row) => ({ accountId: parseKnownId('account', row.account_id), environment: row.environment }));
}

function completeClaimedLane(
  database: Database,
  lane: ClaimedLane<PendingDelivery>,
  { onCompleted, ...result }: LaneResult & { readonly onCompleted?: (tx: Tx) => void },
): Promise<boolean> {
  assert(
    result.attempts.slice(0, -1).every(({ isDelivered, retryInMs }) => isDelivered || retryInMs === null),
    'a lane continued after a delivery that is to be tried again',
  );
  return database.transact(lane.scope, async (tx) => {
    const isStillOurs = await completeLane(tx, lane, result);
    if (isStillOurs) {
      onCompleted?.(tx);
      tx.hint('lanes');
    }
    return isStillOurs;
  });
}
