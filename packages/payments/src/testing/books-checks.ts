import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { schedule } from '@pos/store/queues';
import { startFullPass } from '../reconciliation/comparison-plan.js';
import { createTimerEffects } from '../timers/worker-timers.js';
import { getDayFromNow, importFile, SETTLEMENT_HEADER } from './settlement-files.js';
import { type TestAccount, type TestEnvironment, transactAs } from './test-environment.js';

/** The result of a check of the books against those of the acquirers, as it is reported. */
export type EndedCheck = Readonly<Record<string, unknown>>;

/** The acquirer of the sandbox. */
export const DEFAULT = { environment: 'sandbox', name: 'default' } as const;

/** Works the checks of the account that are due, as a worker does. Returns how many, and adds their results to `ended`. */
export async function runDueChecks(
  testEnvironment: TestEnvironment,
  testAccount: TestAccount,
  ended: EndedCheck[] = [],
): Promise<number> {
  const effects = createTimerEffects({
    ...testEnvironment,
    reconciliationReport: {
      onFound: () => undefined,
      onEnded: (_, result) => {
        // The chains of the account may be due as well.
        if (result['check'] === 'acquirer') ended.push(result);
      },
    },
  });
  const claimed = await testEnvironment.queue.claim(testAccount.scope, ['reconciliation'], {
    limit: 2,
    leaseMs: 60_000,
  });
  for (const timer of claimed) await effects.reconciliation(timer);
  return claimed.length;
}

/** Makes a check due and works it. The daily one compares all days that need it. Returns what was reported. */
export async function runCheck(
  testEnvironment: TestEnvironment,
  testAccount: TestAccount,
  kind: 'daily' | 'between',
): Promise<EndedCheck[]> {
  await transactAs(testEnvironment, testAccount, async (tx) => {
    if (kind === 'daily') await startFullPass(tx);
    else schedule(tx, { kind: 'reconciliation', subject: 'acquirer', dueInMs: 0, isRepeat: true });
  });
  const ended: EndedCheck[] = [];
  await runDueChecks(testEnvironment, testAccount, ended);
  return ended;
}

/** Makes the acquirer of the sandbox one without a list. */
export function removeList({ settings }: TestEnvironment): void {
  const can = { ...COMPLETE_CAPABILITIES.can, booked_list: false };
  settings.acquirers.declare(DEFAULT, { ...COMPLETE_CAPABILITIES, can });
}

/** Imports a file for each of the days, with a line of nobody's call where no reference is given. */
export async function importDays(
  testEnvironment: TestEnvironment,
  testAccount: TestAccount,
  { days, references }: { readonly days: readonly number[]; readonly references: Readonly<Record<number, string>> },
): Promise<void> {
  for (const day of days) {
    const line = `${references[day] ?? `stray-${day}`},capture,2000,GBP,${getDayFromNow(day)},B${day},`;
    await importFile(testEnvironment, testAccount, { text: `${SETTLEMENT_HEADER}\n${line}` });
  }
}
