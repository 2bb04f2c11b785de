import { defineCounter, defineHistogram } from '@pos/service-kit/metrics';

const CALLS = defineCounter({
  name: 'pos_epos_calls_total',
  help: 'Calls to EPOSes by call, transport and outcome. `notSent` and `noAnswer` are failures of the transport or the EPOS.',
  labels: ['call', 'transport', 'outcome'],
  seriesMax: 1_000,
});
const UNREADABLE = defineCounter({
  name: 'pos_epos_unreadable_members_total',
  help: 'Members of answers of EPOSes that could not be read, by call, transport and effect: `skipped` hides a bill or a table, `left_out` only the member.',
  labels: ['call', 'transport', 'effect'],
  seriesMax: 1_000,
});
const SECONDS = defineHistogram({
  name: 'pos_epos_call_duration_seconds',
  help: 'Duration of calls to EPOSes, repeated reads included.',
  labels: ['transport'],
});

/** Counts a call to an EPOS. `transport` is null when no transport was open. */
export function observeEposCall(
  call: string,
  { transport, outcome }: { readonly transport: string | null; readonly outcome: string },
  seconds: number,
): void {
  const name = transport ?? 'none';
  CALLS.increase({ call, transport: name, outcome });
  SECONDS.observe({ transport: name }, seconds);
}

/** Counts a member of an answer that could not be read. */
export function countUnreadable(
  call: string,
  { transport, isSkipped }: { readonly transport: string | null; readonly isSkipped: boolean },
): void {
  UNREADABLE.increase({ call, transport: transport ?? 'none', effect: isSkipped ? 'skipped' : 'left_out' });
}
