import type { Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { DAY_MS } from '@pos/core/time';
import type { Idempotency } from '@pos/service-kit/request-checks';
import { continueTrace, type Log, runInTrace } from '@pos/service-kit/telemetry';
import {
  countRunningTesterRuns,
  deleteTesterRuns,
  findTesterRun,
  getAccount,
  insertTesterRun,
  listInterruptedTesterRuns,
  lockTesterRuns,
  updateTesterRun,
} from '@pos/store/repositories';
import type { Database, Tx } from '@pos/store/database';
import { runOnce } from '@pos/store/idempotency';
import type { CardPayments } from '../drivers/card-payments.js';
import type { EposDriver } from '../drivers/epos-driver.js';
import { EposRegistrationReader } from '../flow-context/epos-registration-reader.js';
import type { Flow } from '../flow-context/flow.js';
import { TABLES_FLOWS } from '../flows/flows.js';
import { runFlow } from './flow-runner.js';
import { endStep, isAbandoned, createOpenStep, type Run, RunRecorder, RunLostError, createRun } from './run.js';
import type { RunParams } from '../flow-context/run-params.js';
import { FlowContext } from '../flow-context/flow-context.js';
import { SessionReservations } from '../flow-context/session-reservations.js';

/** The flow and the parameters of a run. */
export interface NewRun {
  readonly flow: Flow;
  readonly params: RunParams;
  readonly idempotency: Idempotency | null;
}

/** Concurrent runs of one account. */
export const RUNS_AT_ONCE_MAX = 5;
const KEPT_MS = 30 * DAY_MS;
/** A run is renewed four times before it counts as abandoned. */
const RENEW_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 10_000;
const LOST = 'the tester was restarted while this step was played';

/** Starts runs of flows, plays them in the background and stores them for 30 days. */
export class RunService {
  readonly #stop = new AbortController();
  readonly #playing = new Map<string, Promise<void>>();
  readonly #sessionReservations = new SessionReservations();
  #sweeper: NodeJS.Timeout | null = null;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly driver: EposDriver;
      readonly cards: CardPayments;
      readonly log: Log;
    },
  ) {}

  /**
   * Starts a run and returns its id at once. Refuses the sixth concurrent run of an account, and flows of the
   * pay-at-table contract where pay at table is switched off.
   */
  async start(scope: Scope, { flow, params, idempotency }: NewRun) {
    if (this.#stop.signal.aborted) throw new Refusal('service_unavailable', 'the tester is shutting down');
    const begun: Run[] = [];
    const answer = await runOnce(this.parts.database, { scope, idempotency }, async (tx) => {
      const run = await startRun(tx, flow, params);
      begun.push(run);
      return { status: 200, body: run.id };
    });
    const [run] = begun;
    if (run !== undefined && !answer.replayed) this.#play(scope, { flow, params, run });
    return answer;
  }

  /** The run, or null for one that is unknown or older than 30 days. */
  async find(scope: Scope, id: string): Promise<Run | null> {
    const { database } = this.parts;
    const stored = await database.read(scope, (reader) => findTesterRun(reader, id));
    if (stored === null) return null;
    const age = (await database.now()).getTime() - stored.startedAt.getTime();
    return age > KEPT_MS ? null : createRun(stored);
  }

  /** Resolves when a run of this process has ended; at once for any other. */
  async ended(id: string): Promise<void> {
    await this.#playing.get(id);
  }

  /**
   * Starts a timer that ends runs as timed out when their process has stopped, including runs of an earlier process of
   * this tester.
   */
  watch(): void {
    const sweep = (): void => {
      this.#sweeping = this.sweep().then(
        () => undefined,
        (error: unknown) => {
          this.parts.log.warn('tester.sweep_failed', { error });
        },
      );
    };
    sweep();
    this.#sweeper = setInterval(sweep, SWEEP_EVERY_MS);
  }

  /** Ends the abandoned runs of all accounts and returns their number. */
  async sweep(): Promise<number> {
    const { database, log } = this.parts;
    const now = await database.now();
    const candidates = await database.readSystem((reader) => listInterruptedTesterRuns(reader, now));
    let ended = 0;
    for (const { scope, id } of candidates) {
      const isEnded = await database.transact(scope, (tx) => endAbandonedRuns(tx, id));
      if (!isEnded) continue;
      ended += 1;
      log.info('tester.run_abandoned', { account_id: scope.accountId, run_id: id });
    }
    return ended;
  }

  /** Ends every active run, each with its cleanup. */
  async close(): Promise<void> {
    this.#stop.abort();
    if (this.#sweeper !== null) clearInterval(this.#sweeper);
    await this.#sweeping;
    await Promise.all(this.#playing.values());
  }

  #play(scope: Scope, begun: { readonly flow: Flow; readonly params: RunParams; readonly run: Run }): void {
    // The run outlives its request, so it has its own trace.
    const { id } = begun.run;
    const playing = runInTrace(continueTrace(), () => this.#played(scope, begun)).finally(() =>
      this.#playing.delete(id),
    );
    this.#playing.set(id, playing);
  }

  async #played(
    scope: Scope,
    { flow, params, run }: { readonly flow: Flow; readonly params: RunParams; readonly run: Run },
  ): Promise<void> {
    const { database, driver, cards, log } = this.parts;
    const startedAtMs = performance.now();
    const recorder = new RunRecorder({ database, scope, run });
    const renewing = setInterval(() => {
      // A failed renewal is followed by another; a lost run is detected at its next step.
      recorder.renew().catch(() => undefined);
    }, RENEW_EVERY_MS);
    const fields = { account_id: scope.accountId, run_id: run.id, flow: flow.name };
    try {
      const account = await cards.account(scope);
      const { id: runId } = run;
      const sessionReservations = this.#sessionReservations;
      const flowParts = { driver, cards, registration: new EposRegistrationReader(database), sessionReservations };
      const flowContext = new FlowContext({ runId, flowName: flow.name, scope, account, params, ...flowParts });
      const status = await runFlow({ flowContext, steps: flow.steps(params), recorder, stop: this.#stop.signal, log });
      log.info('tester.run_played', { ...fields, status, took_ms: Math.round(performance.now() - startedAtMs) });
    } catch (error) {
      // Writing is no longer possible. The sweeper ends the run after its last renewal has expired.
      if (error instanceof RunLostError) log.warn('tester.run_lost', fields);
      else log.error('tester.run_failed', { ...fields, error });
    } finally {
      clearInterval(renewing);
      this.#sessionReservations.release(run.id);
    }
  }
}

async function startRun(tx: Tx, flow: Flow, params: RunParams): Promise<Run> {
  const { settings } = await getAccount(tx);
  if (!settings.payAtTable.isEnabled && TABLES_FLOWS.includes(flow)) {
    throw new Refusal('permission_missing', 'paying at the table is switched off for this account');
  }
  await lockTesterRuns(tx);
  if ((await countRunningTesterRuns(tx)) >= RUNS_AT_ONCE_MAX) {
    throw new Refusal('flow_runs_exhausted', `${RUNS_AT_ONCE_MAX} runs are going on; wait for one to end`);
  }
  await deleteTesterRuns(tx, new Date(tx.databaseNow.getTime() - KEPT_MS));
  const [first] = flow.steps(params);
  const run: Run = {
    id: await tx.newUuid(),
    flow: flow.name,
    status: 'IN_PROGRESS',
    startedAt: tx.databaseNow,
    finishedAt: null,
    steps: [createOpenStep(first.name, tx.databaseNow)],
    params: { ...params },
  };
  await insertTesterRun(tx, run);
  return run;
}

async function endAbandonedRuns(tx: Tx, id: string): Promise<boolean> {
  const stored = await findTesterRun(tx, id);
  if (stored === null) return false;
  const run = createRun(stored);
  const now = tx.databaseNow;
  if (!isAbandoned(run, now)) return false;
  const steps = run.steps.map((step) =>
    step.status === 'IN_PROGRESS'
      ? endStep(step, { status: 'TIMED_OUT', lines: [...step.additionalInformation, LOST], checks: step.checks, now })
      : step,
  );
  return updateTesterRun(tx, { id, status: 'TIMED_OUT', finishedAt: now, steps });
}
