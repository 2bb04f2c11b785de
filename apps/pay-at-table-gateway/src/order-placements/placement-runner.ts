import type { Scope } from '@pos/core/identity';
import { type OrderPlacement, type PlacementCall, getGiveBackReference, type PlacementInput } from '@pos/core/orders';
import { Refusal } from '@pos/core/refusals';
import type { GiveBack, GiveBackOutcome } from '@pos/payments/captures-refunds';
import type { OrderCapture, OrderCaptureOutcome, OrderPlacements, PlacementResult } from '@pos/payments/orders';
import type { PaymentSettings } from '@pos/payments/accounts';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { findOrderPlacement } from '@pos/store/tables';
import { type ClaimedTimer, LeaseLost, type TimerQueue } from '@pos/store/queues';
import { storeAnswer } from '../epos-calls/answer-storing.js';
import type { PlacementEposClient } from './placement-epos-client.js';

const PLACEMENT_CALLS_MAX = 30;

/** A claimed placement, and the time of its last renewal on the process's monotonic clock. */
interface PlacementRun {
  readonly claimed: ClaimedTimer;
  renewedAtMs: number;
}

/**
 * Advances orders that are paid in advance. Each step is stored before its call, and each answer before the next step. After
 * a crash another runner continues from the row, once the lease and the longest call have ended.
 */
export class PlacementRunner {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly queue: TimerQueue;
      readonly placements: OrderPlacements;
      readonly calls: PlacementEposClient;
      readonly capture: OrderCapture;
      readonly giveBack: GiveBack;
      readonly settings: Pick<PaymentSettings, 'fault'>;
      readonly times: { readonly leaseMs: number; readonly callLimitMs: number };
      readonly log: Log;
    },
  ) {}

  /** Advances a claimed placement until it has to wait, or applies the end of its hold. Rejects only on defects and outages. */
  async work(claimed: ClaimedTimer): Promise<void> {
    const renewedAtMs = performance.now();
    const { database, queue, placements } = this.parts;
    const { scope, subject } = claimed;
    try {
      if (claimed.kind === 'order-release') {
        this.#logStep(scope, await database.transact(scope, (tx) => placements.applyHoldEnding(tx, claimed)));
        return;
      }
      const placement = await database.read(scope, (reader) => findOrderPlacement(reader, subject));
      if (placement === null) {
        await database.transact(scope, (tx) => queue.complete(tx, claimed, null));
        return;
      }
      const step = await database.transact(scope, (tx) => placements.advancePlacement(tx, placement, claimed));
      await this.#runSteps({ claimed, renewedAtMs }, step);
    } catch (error) {
      // Another runner has the placement now.
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  async #runSteps(run: PlacementRun, firstStep: PlacementResult): Promise<void> {
    let step = firstStep;
    for (let calls = 0; calls < PLACEMENT_CALLS_MAX; calls += 1) {
      this.#logStep(run.claimed.scope, step);
      if (step.call === null) return;
      const input = await this.#makeCall(run, step.placement, step.call);
      step = await this.#storeInput(run, step.placement, input);
    }
  }

  #storeInput(run: PlacementRun, placement: OrderPlacement, input: PlacementInput): Promise<PlacementResult> {
    return storeAnswer(input, (storable) => this.#tryStore(run, placement, storable), this.parts.log);
  }

  /** Stores an answer. If the lease was lost in the meantime, the transaction is rolled back and the answer is applied without it. */
  async #tryStore(
    { claimed }: PlacementRun,
    placement: OrderPlacement,
    input: PlacementInput,
  ): Promise<PlacementResult> {
    const { database, placements } = this.parts;
    const applyInput = (claim: ClaimedTimer | null) =>
      database.transact(claimed.scope, (tx) => placements.applyCallResult(tx, placement, { input, claimed: claim }));
    try {
      return await applyInput(claimed);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      return applyInput(null);
    }
  }

  async #makeCall(run: PlacementRun, placement: OrderPlacement, call: PlacementCall): Promise<PlacementInput> {
    await this.#renewClaim(run);
    const { calls, settings, capture } = this.parts;
    const { scope, subject, fence } = run.claimed;
    switch (call) {
      case 'place': {
        settings.fault('after-commit-before-place');
        const input = await calls.placeOrder(scope, placement, { kind: 'order-placement', subject, fence });
        settings.fault('after-place-before-stored');
        return input;
      }
      case 'look':
        return calls.findOrder(scope, placement);
      case 'capture': {
        settings.fault('after-placed-before-capture');
        const outcome = await capture.captureOrder(scope, placement.intentId);
        settings.fault('after-capture-before-stored');
        return CAPTURE_INPUTS[outcome];
      }
      case 'cancelOrder':
        return calls.cancelOrder(scope, placement);
      case 'giveBack':
        return this.#giveBack(scope, placement);
    }
  }

  async #giveBack(scope: Scope, { id, intentId }: OrderPlacement): Promise<PlacementInput> {
    try {
      return GIVE_BACK_INPUTS[
        await this.parts.giveBack.giveBackPayment(scope, { intentId, reference: getGiveBackReference(id) })
      ];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The conflict, for example another operation on the payment, may be over at the next attempt.
      return { kind: 'giveBackUnanswered', note: error.detail };
    }
  }

  /** A call begins only while the lease runs, so that it has ended before a successor may begin. */
  async #renewClaim(run: PlacementRun): Promise<void> {
    const { leaseMs, callLimitMs } = this.parts.times;
    if (performance.now() - run.renewedAtMs < leaseMs / 2) return;
    const startedAtMs = performance.now();
    await this.parts.queue.renew(run.claimed, leaseMs + callLimitMs);
    run.renewedAtMs = startedAtMs;
  }

  #logStep(scope: Scope, { placement, outputs, call }: PlacementResult): void {
    const { log } = this.parts;
    const { id, intentId, orderId, state, dueAt, lastError } = placement;
    const fields = { account_id: scope.accountId, placement_id: id, intent_id: intentId, order_id: orderId, state };
    for (const output of outputs) {
      if (output.do === 'alarm') log.error('order_placement.alarm', { ...fields, reason: output.reason });
    }
    log.info('order_placement.stepped', { ...fields, next: call, due_at: dueAt, last_error: lastError });
  }
}

const CAPTURE_INPUTS = {
  captured: { kind: 'captured' },
  refused: { kind: 'captureRefused', note: 'the acquirer refused to capture it' },
  unanswered: { kind: 'captureUnanswered', note: 'the acquirer has not answered' },
  gone: { kind: 'moneyGone' },
} as const satisfies Record<OrderCaptureOutcome, PlacementInput>;

const GIVE_BACK_INPUTS = {
  givenBack: { kind: 'givenBack' },
  refused: { kind: 'giveBackRefused', note: 'the acquirer refused to return it' },
  unanswered: { kind: 'giveBackUnanswered', note: 'the acquirer has not answered' },
} as const satisfies Record<GiveBackOutcome, PlacementInput>;
