import { parseKnownId } from '@pos/core/identity';
import { EPOS_LANES } from '@pos/core/webhooks';
import type { ClaimedLane, ClaimLimits, EposDelivery } from './claimed-lane.js';
import {
  type FirstDelivery,
  defineFirstDeliveriesStatement,
  findLatestAttemptAt,
  leaseLanes,
  toEventOrigin,
} from './lane-claim.js';
import { defineStatement } from '@pos/postgres/statements';
import type { Tx } from '../database/transaction.js';

/** Each claim reads how the kind is registered: an EPOS does not receive what it has not registered any more. */
const FIRST_DELIVERIES = defineFirstDeliveriesStatement('read_first_epos_deliveries', {
  column: 'created_at',
  extraColumns: `, (
     select min(i.kind) from epos_integrations i
     where i.account_id = $1 and i.environment = $2 and i.kind in ('rest', 'ws')
       and i.capabilities @> jsonb_build_array(jsonb_build_object('name', 'HandleEvent:' || e.kind))
   ) as registered_as`,
});

const WAKE = defineStatement(
  'wake_epos_lane',
  `update lanes set due_at = $4
   where account_id = $1 and environment = $2 and key = $3 and pending > 0 and due_at > $4 returning key`,
);

interface FirstEposDeliveryRow extends FirstDelivery {
  readonly created_at: Date;
  readonly registered_as: 'rest' | 'ws' | null;
}

/** Claims in one account; see `EposLaneQueue`. */
export async function claimEposLanes(
  tx: Tx,
  limits: ClaimLimits,
): Promise<{ readonly claimed: readonly ClaimedLane<EposDelivery>[]; readonly frozenUntil: Date | null }> {
  const lanes = await leaseLanes(tx, { ...limits, traffic: 'epos' });
  if (lanes.length === 0) return { claimed: [], frozenUntil: null };
  const first = await tx.query<FirstEposDeliveryRow>(FIRST_DELIVERIES, [
    ...[tx.scope.accountId, tx.scope.environment],
    lanes.map(({ key }) => key),
    limits.deliveriesPerLane,
  ]);
  const claimed = lanes.map(({ key, fence, failures }) => ({
    ...{ scope: tx.scope, key, fence, failures, isReplay: false, frozenAt: null },
    deliveries: first.filter((row) => row.lane_key === key).map((row) => toDelivery(tx, row)),
  }));
  return { claimed, frozenUntil: findLatestAttemptAt(tx, first) };
}

/** The account's EPOS has opened a socket: deliveries that wait for it are due now. */
export async function wakeEposLane(tx: Tx): Promise<void> {
  const { accountId, environment } = tx.scope;
  const woken = await tx.query(WAKE, [accountId, environment, EPOS_LANES.connected, tx.databaseNow]);
  if (woken.length > 0) tx.hint('lanes');
}

function toDelivery(tx: Tx, row: FirstEposDeliveryRow): EposDelivery {
  return {
    id: parseKnownId('delivery', row.id),
    number: row.number,
    attempts: row.attempts,
    eventId: parseKnownId('event', row.event_id),
    kind: row.kind,
    body: row.body,
    ...toEventOrigin(tx, row),
    transport: row.registered_as,
    ageMs: tx.now.getTime() - row.created_at.getTime(),
  };
}
