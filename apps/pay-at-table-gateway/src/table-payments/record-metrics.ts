import type { TablePayment } from '@pos/core/tables';
import { defineCounter, defineHistogram } from '@pos/service-kit/metrics';

const RECORD_SECONDS = defineHistogram({
  name: 'pos_payment_record_delay_seconds',
  help: 'Time between the approval of a payment at a table and its record at the EPOS.',
  labels: [],
  buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800],
});
const STEPS = defineCounter({
  name: 'pos_table_payment_steps_total',
  help: 'Stored steps of payments at tables, by the state that they lead to.',
  labels: ['state'],
});

/** Counts a stored step of a payment. */
export function observeStep({ state, since, updatedAt }: TablePayment): void {
  STEPS.increase({ state });
  if (state === 'Recorded') RECORD_SECONDS.observe({}, Math.max(0, updatedAt.getTime() - since.getTime()) / 1_000);
}
