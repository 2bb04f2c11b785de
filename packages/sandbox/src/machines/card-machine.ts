import type { AcquirerSimulator } from '../acquirer/acquirer-simulator.js';
import type { SimulationClock } from '../clock/simulation-clock.js';
import { MachineAcquirerClient, type CardReadingResult } from './machine-acquirer-client.js';
import type { CardResult, ReceivedCommand, MachineEvent, SentReport, StartCommand } from './machine-commands.js';
import type { MachineFaults } from './machine-faults.js';
import { MachineReportQueue } from './machine-report-queue.js';
import { createOutcome, type MachineOutcome, type MachineScreen } from './machine-screen.js';
import {
  chooseScript,
  type MachineModel,
  type MachineScript,
  type MachineNotification,
  type ScriptStep,
} from './machine-script.js';
import { isShownWithCard, MachineSessionList, type MachineSession, type RunningSession } from './machine-session.js';
import { findStage, type MachineTap, planDeparture, planTap, TAPPED_SCRIPT, type TapPlan } from './machine-taps.js';

/** What a machine needs from its environment. */
export interface CardMachineOptions {
  readonly model: MachineModel;
  readonly merchantId: string;
  readonly acquirerSimulator: AcquirerSimulator;
  readonly clock: SimulationClock;
  /** Breaks the machine's stream and keeps it broken for so long. */
  readonly unplug: (forMs: number) => void;
}

/** After this long without a decision on the signature slip, the machine is free again. Simulated time. */
const SIGNATURE_TIMEOUT_MS = 120_000;
/**
 * One simulated card machine, independent of streams. Reports go to `send` while it is connected and are stored until
 * acknowledged. A session continues while the stream is broken, as on a real machine.
 */
export class CardMachine {
  readonly model: MachineModel;
  readonly #options: CardMachineOptions;
  readonly #acquirerClient: MachineAcquirerClient;
  readonly #sessions = new MachineSessionList();
  readonly #reports = new MachineReportQueue();
  readonly #listeners = new Set<() => void>();
  #runningSession: RunningSession | null = null;
  #lastOutcome: MachineOutcome | null = null;
  #faults: MachineFaults = {};
  #sessionCount = 0;
  #isOperated = false;

  constructor(machineOptions: CardMachineOptions) {
    this.#options = machineOptions;
    this.model = machineOptions.model;
    this.#acquirerClient = new MachineAcquirerClient(machineOptions);
  }

  isInUse(): boolean {
    return this.model.behaviour === 'busy' || this.#faults.inUse === true;
  }

  /** The session to name in a hello: the running one, or one with unacknowledged reports. */
  findUnfinishedSession(): { readonly sessionId: string; readonly lastReportNumber: number } | null {
    const id = this.#runningSession?.session.id ?? this.#reports.firstSessionId;
    const session = id === undefined ? undefined : this.#sessions.findSession(id);
    return session === undefined ? null : { sessionId: session.id, lastReportNumber: session.lastNumber };
  }

  /** The stream is open: all unacknowledged reports are sent again, in order. */
  connect(send: (report: SentReport) => void): void {
    this.#reports.connect(send);
    this.#publishChange();
  }

  disconnect(): void {
    this.#reports.disconnect();
    this.#publishChange();
  }

  /** Calls the listener after every change of what the machine displays. Returns how to stop that. */
  addListener(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A person takes the machine in hand, or leaves it: then it works by its script again, also in a running session. */
  setOperated(isOperated: boolean): void {
    if (this.#isOperated === isOperated) return;
    this.#isOperated = isOperated;
    const running = this.#runningSession;
    if (isOperated || running === null || !running.isOperated) return;
    running.isOperated = false;
    this.#followPlan(running, planDeparture(this.#chooseScript(running.start), running.stage));
  }

  /** Does what a person does at the machine. False: nothing waits for it. */
  tap(tap: MachineTap): boolean {
    const running = this.#runningSession;
    const plan = running?.isOperated === true ? planTap(tap, running.stage) : null;
    if (running === null || plan === null) return false;
    if (tap.kind !== 'causeTrouble') running.stage = 'acquirer';
    this.#followPlan(running, plan);
    return true;
  }

  describeScreen(): MachineScreen {
    const running = this.#runningSession;
    return {
      session:
        running === null
          ? null
          : {
              ...{ sessionId: running.session.id, sessionType: running.start.sessionType, total: running.start.total },
              ...{ stage: running.stage, shows: running.shows },
            },
      lastOutcome: this.#lastOutcome,
    };
  }

  /** Takes the machine out of service: its session stops, and no reports follow. */
  shutDown(): void {
    this.#reports.disconnect();
    for (const cancel of this.#runningSession?.cancels ?? []) cancel();
    this.#runningSession = null;
  }

  setFaults(faults: MachineFaults): void {
    this.#faults = faults;
    if (faults.unplug?.when === 'now') this.#disconnectOn('now');
    this.#publishChange();
  }

  describe(): { faults: MachineFaults; runningSessionId: string | null; unacknowledged: number; isConnected: boolean } {
    return {
      faults: this.#faults,
      runningSessionId: this.#runningSession?.session.id ?? null,
      unacknowledged: this.#reports.length,
      isConnected: this.#reports.isConnected,
    };
  }

  handleCommand(command: ReceivedCommand): void {
    switch (command.kind) {
      case 'start':
        this.#startSession(command.start);
        return;
      case 'cancel':
        this.#cancelSession(command.sessionId);
        return;
      case 'stop':
        this.#stopSession(command.sessionId);
        return;
      case 'signature':
        this.#applySignatureDecision(command);
        return;
      case 'ack':
        this.#acknowledgeReports(command);
        return;
    }
  }

  #startSession(start: StartCommand): void {
    const existing = this.#sessions.findSession(start.sessionId);
    if (existing !== undefined && existing.state !== 'refused') return;
    const session = existing ?? this.#sessions.addSession(start.sessionId, 'ended');
    const refusal = this.#findRefusal(session, start);
    if (refusal !== null) {
      if (!this.#reports.hasReportOf(session.id)) this.#addReport(session, { kind: 'unable', reason: refusal });
      return;
    }
    // The service starts a session only after the previous one has ended: the `stop` of that one was lost.
    if (this.#runningSession !== null) this.#endSession(this.#runningSession);
    session.state = 'running';
    this.#runSession(session, start);
  }

  #findRefusal(session: MachineSession, start: StartCommand): string | null {
    if (session.state === 'refused') return 'received a stop before the start';
    if (this.isInUse()) return 'in use at the machine';
    if (start.secondsLeft < 0) return 'arrived too late';
    if (this.#runningSession?.isCardInserted === true) return 'busy with another card';
    return null;
  }

  #runSession(session: MachineSession, start: StartCommand): void {
    const running: RunningSession = {
      ...{ session, start, script: this.#isOperated ? TAPPED_SCRIPT : this.#chooseScript(start) },
      ...{ isOperated: this.#isOperated, stage: 'confirmation', shows: null, lastEvent: null },
      pendingSteps: null,
      ...{ cancels: [], cardReading: null, isCardInserted: false, isReporting: false },
    };
    this.#sessionCount += 1;
    this.#runningSession = running;
    const { slowByMs = 0 } = this.#faults;
    const begin = (): void => {
      if (running.pendingSteps === null) this.#followPlan(running, { script: {}, steps: running.script.steps });
    };
    if (slowByMs === 0) begin();
    else running.cancels.push(this.#options.clock.scheduleRealTime(slowByMs, begin));
    const giveUpMs = Math.max(1, start.secondsLeft) * 1_000;
    running.cancels.push(
      this.#options.clock.scheduleRealTime(giveUpMs, () => {
        this.#expireSession(running);
      }),
    );
    this.#publishChange();
  }

  #chooseScript(start: StartCommand): MachineScript {
    const { acquirerSimulator, merchantId } = this.#options;
    return chooseScript({
      model: this.model,
      totalMinorUnits: start.total.value,
      isRefund: start.sessionType !== 'Sale',
      isCardholderAbsent: start.isCardholderAbsent,
      areAmountTriggersOn: acquirerSimulator.acquirer.areAmountTriggersOn(merchantId),
      earlierSessions: this.#sessionCount,
      hasEarlierAttempt: (cardNumber) =>
        acquirerSimulator.acquirer.earlierAttempts({ merchantId, amount: start.total, cardNumber }) % 2 === 1,
    });
  }

  /** Runs the steps of a plan, in simulated milliseconds from now, in place of those of an earlier plan. */
  #followPlan(running: RunningSession, plan: TapPlan): void {
    running.script = { ...running.script, ...plan.script };
    const pendingSteps = [...plan.steps];
    running.pendingSteps = pendingSteps;
    for (const { atMs } of plan.steps) {
      running.cancels.push(
        this.#options.clock.schedule(atMs, () => {
          this.#runStepsUntil(running, pendingSteps, atMs);
        }),
      );
    }
    this.#publishChange();
  }

  /** Timers of a busy process fire late and in any order, so that each runs the steps before it, too. */
  #runStepsUntil(running: RunningSession, pendingSteps: ScriptStep[], atMs: number): void {
    for (let [next] = pendingSteps; next !== undefined && next.atMs <= atMs; [next] = pendingSteps) {
      if (running.session.state !== 'running' || running.pendingSteps !== pendingSteps) return;
      pendingSteps.shift();
      this.#runStep(running, next);
    }
  }

  #runStep(running: RunningSession, step: ScriptStep): void {
    switch (step.does) {
      case 'confirm':
        this.#addReport(running.session, { kind: 'confirmed' });
        this.#disconnectOn('after-confirm');
        return;
      case 'show':
        this.#reportNotification(running, step.shows);
        return;
      case 'cancel':
        this.#addReport(running.session, { kind: 'canceled', isByGateway: false });
        this.#endSession(running);
        return;
      case 'ask':
        running.isCardInserted = true;
        running.cardReading = this.#acquirerClient.requestDecision(running.start, running.script);
        return;
      case 'report':
        this.#reportWhenDecided(running);
        return;
    }
  }

  #reportNotification(running: RunningSession, shows: MachineNotification): void {
    if (isShownWithCard(shows)) running.isCardInserted = true;
    running.shows = shows;
    running.stage = findStage(shows) ?? running.stage;
    this.#addReport(running.session, { kind: 'notification', shows });
  }

  #expireSession(running: RunningSession): void {
    if (running.isCardInserted || this.#runningSession !== running || !running.script.givesUp) return;
    this.#addReport(running.session, { kind: 'canceled', isByGateway: false });
    this.#endSession(running);
  }

  #reportWhenDecided(running: RunningSession): void {
    if (running.cardReading === null || running.isReporting) return;
    running.isReporting = true;
    void running.cardReading.then((reading) => {
      const lateByMs = this.#faults.answerLateByMs ?? this.#faults.slowByMs ?? 0;
      this.#faults = { ...this.#faults, answerLateByMs: undefined };
      if (lateByMs === 0) this.#reportResult(running, reading);
      else
        this.#options.clock.scheduleRealTime(lateByMs, () => {
          this.#reportResult(running, reading);
        });
    });
  }

  /** Reported even when the session was stopped meanwhile: the money has moved, and the service needs the result. */
  #reportResult(running: RunningSession, reading: CardReadingResult): void {
    const { session, script, start } = running;
    if (reading.kind === 'notMade') {
      this.#addReport(session, { kind: 'unable', reason: reading.reason });
      this.#endSession(running);
      return;
    }
    const isApproved = reading.callState.outcome === 'Approved';
    if (isApproved) this.#disconnectOn('after-approval');
    if (script.isOutcomeShown) this.#reportNotification(running, isApproved ? 'Approved' : 'Declined');
    const result: CardResult = {
      acquirerReference: start.acquirerReference,
      callState: reading.callState,
      card: script.card,
      merchantId: this.#options.merchantId,
    };
    const isSignatureNeeded = isApproved && script.isSignatureNeeded;
    this.#addReport(
      session,
      isApproved ? { kind: 'approved', result, isSignatureNeeded } : { kind: 'declined', result },
    );
    if (isSignatureNeeded && this.#runningSession === running) {
      running.stage = 'signature';
      this.#publishChange();
      running.cancels.push(
        this.#options.clock.schedule(SIGNATURE_TIMEOUT_MS, () => {
          this.#endSession(running);
        }),
      );
    } else {
      this.#endSession(running);
    }
  }

  #cancelSession(sessionId: string): void {
    const running = this.#runningSession;
    if (running?.session.id === sessionId) {
      if (running.isCardInserted) return;
      this.#addReport(running.session, { kind: 'canceled', isByGateway: true });
      this.#endSession(running);
      return;
    }
    if (this.#sessions.findSession(sessionId) !== undefined) return;
    this.#addReport(this.#sessions.addSession(sessionId, 'refused'), { kind: 'unknownSession' });
  }

  #applySignatureDecision({ sessionId, isAccepted }: { sessionId: string; isAccepted: boolean }): void {
    const running = this.#runningSession;
    if (running?.session.id !== sessionId) return;
    this.#endSession(running);
    const outcome = createOutcome(running.start, running.lastEvent);
    this.#lastOutcome = isAccepted ? outcome : { ...outcome, outcome: 'signatureRejected' };
    this.#publishChange();
  }

  #stopSession(sessionId: string): void {
    if (this.#runningSession?.session.id === sessionId) this.#endSession(this.#runningSession);
    else if (this.#sessions.findSession(sessionId) === undefined) this.#sessions.addSession(sessionId, 'refused');
  }

  #acknowledgeReports({
    sessionId,
    reportNumber,
    isStop,
  }: {
    sessionId: string;
    reportNumber: number;
    isStop: boolean;
  }): void {
    this.#reports.acknowledgeReports(sessionId, reportNumber);
    if (isStop) this.#stopSession(sessionId);
  }

  /**
   * Ends the session on the machine. The result of an open request to the acquirer is still reported when it arrives.
   */
  #endSession(running: RunningSession): void {
    running.session.state = 'ended';
    for (const cancel of running.cancels) cancel();
    this.#reportWhenDecided(running);
    if (this.#runningSession === running) {
      this.#runningSession = null;
      this.#lastOutcome = createOutcome(running.start, running.lastEvent);
      this.#faults = { ...this.#faults, reportTwice: undefined };
    }
    this.#publishChange();
  }

  #addReport(session: MachineSession, event: MachineEvent): void {
    if (this.#runningSession?.session === session) this.#runningSession.lastEvent = event;
    const at = this.#options.clock.getTimestamp();
    this.#reports.addReport(session, event, { at, isTwice: this.#faults.reportTwice === true });
    this.#publishChange();
  }

  #publishChange(): void {
    for (const listener of this.#listeners) listener();
  }

  #disconnectOn(when: 'now' | 'after-confirm' | 'after-approval'): void {
    const { unplug } = this.#faults;
    if (unplug?.when !== when) return;
    this.#faults = { ...this.#faults, unplug: undefined };
    this.#reports.disconnect();
    this.#options.unplug(unplug.forMs);
  }
}
