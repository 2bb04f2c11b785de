import type { AcquirerSimulator } from '../acquirer/acquirer-simulator.js';
import type { CancelTask, SimulationClock } from '../clock/simulation-clock.js';
import { MachineAcquirerClient, type CardReadingResult } from './machine-acquirer-client.js';
import type { CardResult, MachineCommand, MachineEvent, MachineReport, StartCommand } from './machine-commands.js';
import {
  chooseScript,
  type MachineModel,
  type MachineScript,
  type MachineNotification,
  type ScriptStep,
} from './machine-script.js';

/** Faults of one machine, each applied once. Times are real milliseconds. */
export interface MachineFaults {
  /** The stream breaks at once, after the next `confirmed`, or between the acquirer's approval and its report. */
  readonly unplug?: { readonly when: 'now' | 'after-confirm' | 'after-approval'; readonly forMs: number } | undefined;
  /** The next result is reported this much later. */
  readonly answerLateByMs?: number | undefined;
  /** Each report of the next session is sent twice. */
  readonly reportTwice?: boolean | undefined;
  /** Until changed: the machine is in use for something else. */
  readonly inUse?: boolean | undefined;
}

/** What a machine needs from its environment. */
export interface CardMachineOptions {
  readonly model: MachineModel;
  readonly merchantId: string;
  readonly acquirerSimulator: AcquirerSimulator;
  readonly clock: SimulationClock;
  /** Breaks the machine's stream and keeps it broken for so long. */
  readonly unplug: (forMs: number) => void;
}

interface MachineSession {
  readonly id: string;
  lastNumber: number;
  /** `refused`: a stop arrived before the start. */
  state: 'running' | 'ended' | 'refused';
}

interface RunningSession {
  readonly session: MachineSession;
  readonly start: StartCommand;
  readonly script: MachineScript;
  readonly cancels: CancelTask[];
  cardReading: Promise<CardReadingResult> | null;
  isCardInserted: boolean;
  isReporting: boolean;
}

const STORED_SESSIONS_MAX = 1_000;
/** After this long without a decision on the signature slip, the machine is free again. Simulated time. */
const SIGNATURE_TIMEOUT_MS = 120_000;
const CARD_INSERTED_NOTIFICATIONS: ReadonlySet<MachineNotification> = new Set([
  'PleaseWait',
  'EnterPin',
  'RemoveCard',
  'Approved',
  'Declined',
]);

/**
 * One simulated card machine, independent of streams. Reports go to `send` while it is connected and are stored until
 * acknowledged. A session continues while the stream is broken, as on a real machine.
 */
export class CardMachine {
  readonly model: MachineModel;
  readonly #options: CardMachineOptions;
  readonly #acquirerClient: MachineAcquirerClient;
  readonly #sessions = new Map<string, MachineSession>();
  #runningSession: RunningSession | null = null;
  #unacknowledged: MachineReport[] = [];
  #sendReport: ((report: MachineReport) => void) | null = null;
  #faults: MachineFaults = {};
  #sessionCount = 0;

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
    const id = this.#runningSession?.session.id ?? this.#unacknowledged[0]?.sessionId;
    const session = id === undefined ? undefined : this.#sessions.get(id);
    return session === undefined ? null : { sessionId: session.id, lastReportNumber: session.lastNumber };
  }

  /** The stream is open: all unacknowledged reports are sent again, in order. */
  connect(send: (report: MachineReport) => void): void {
    this.#sendReport = send;
    for (const report of this.#unacknowledged) send(report);
  }

  disconnect(): void {
    this.#sendReport = null;
  }

  /** Takes the machine out of service: its session stops, and no reports follow. */
  shutDown(): void {
    this.#sendReport = null;
    for (const cancel of this.#runningSession?.cancels ?? []) cancel();
    this.#runningSession = null;
  }

  setFaults(faults: MachineFaults): void {
    this.#faults = faults;
    if (faults.unplug?.when === 'now') this.#disconnectOn('now');
  }

  describe(): { faults: MachineFaults; runningSessionId: string | null; unacknowledged: number; isConnected: boolean } {
    return {
      faults: this.#faults,
      runningSessionId: this.#runningSession?.session.id ?? null,
      unacknowledged: this.#unacknowledged.length,
      isConnected: this.#sendReport !== null,
    };
  }

  handleCommand(command: MachineCommand): void {
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
        if (this.#runningSession?.session.id === command.sessionId) this.#endSession(this.#runningSession);
        return;
      case 'ack':
        this.#acknowledgeReports(command);
        return;
    }
  }

  #startSession(start: StartCommand): void {
    const existing = this.#sessions.get(start.sessionId);
    if (existing !== undefined && existing.state !== 'refused') return;
    const session = existing ?? this.#storeSession(start.sessionId, 'ended');
    const refusal = this.#findRefusal(session, start);
    if (refusal !== null) {
      const isReported = this.#unacknowledged.some(({ sessionId }) => sessionId === session.id);
      if (!isReported) this.#addReport(session, { kind: 'unable', reason: refusal });
      return;
    }
    // The service starts a session only after the previous one has ended: the `stop` of that one was lost.
    if (this.#runningSession !== null) this.#endSession(this.#runningSession);
    session.state = 'running';
    this.#runSession(session, start);
  }

  #findRefusal(session: MachineSession, start: StartCommand): string | null {
    if (session.state === 'refused') return 'told to stop before it was started';
    if (this.isInUse()) return 'in use at the machine';
    if (start.secondsLeft < 0) return 'arrived too late';
    if (this.#runningSession?.isCardInserted === true) return 'busy with another card';
    return null;
  }

  #runSession(session: MachineSession, start: StartCommand): void {
    const { acquirerSimulator, clock, merchantId } = this.#options;
    const play = chooseScript({
      model: this.model,
      totalMinorUnits: start.total.value,
      isRefund: start.sessionType !== 'Sale',
      isCardholderAbsent: start.isCardholderAbsent,
      areAmountTriggersOn: acquirerSimulator.acquirer.areAmountTriggersOn(merchantId),
      earlierSessions: this.#sessionCount,
      hasEarlierAttempt: (cardNumber) =>
        acquirerSimulator.acquirer.earlierAttempts({ merchantId, amount: start.total, cardNumber }) % 2 === 1,
    });
    this.#sessionCount += 1;
    const running: RunningSession = {
      session,
      start,
      script: play,
      cancels: [],
      cardReading: null,
      isCardInserted: false,
      isReporting: false,
    };
    this.#runningSession = running;
    const pendingSteps = [...play.steps];
    for (const { atMs } of play.steps) {
      running.cancels.push(
        clock.schedule(atMs, () => {
          this.#runStepsUntil(running, pendingSteps, atMs);
        }),
      );
    }
    const giveUpMs = Math.max(1, start.secondsLeft) * 1_000;
    running.cancels.push(
      clock.scheduleRealTime(giveUpMs, () => {
        this.#expireSession(running);
      }),
    );
  }

  /** Timers of a busy process fire late and in any order, so that each runs the steps before it, too. */
  #runStepsUntil(running: RunningSession, pendingSteps: ScriptStep[], atMs: number): void {
    for (let [next] = pendingSteps; next !== undefined && next.atMs <= atMs; [next] = pendingSteps) {
      if (running.session.state !== 'running') return;
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
    if (CARD_INSERTED_NOTIFICATIONS.has(shows)) running.isCardInserted = true;
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
      const lateByMs = this.#faults.answerLateByMs ?? 0;
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
    if (reading.kind === 'unreachable') {
      this.#addReport(session, { kind: 'unable', reason: 'the acquirer cannot be reached' });
      this.#endSession(running);
      return;
    }
    const isApproved = reading.standing.outcome === 'Approved';
    if (isApproved) this.#disconnectOn('after-approval');
    if (script.isOutcomeShown) this.#reportNotification(running, isApproved ? 'Approved' : 'Declined');
    const result: CardResult = {
      acquirerReference: start.acquirerReference,
      standing: reading.standing,
      card: script.card,
      merchantId: this.#options.merchantId,
    };
    const isSignatureNeeded = isApproved && script.isSignatureNeeded;
    this.#addReport(
      session,
      isApproved ? { kind: 'approved', result, isSignatureNeeded } : { kind: 'declined', result },
    );
    if (isSignatureNeeded && this.#runningSession === running) {
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
    if (this.#sessions.has(sessionId)) return;
    this.#addReport(this.#storeSession(sessionId, 'refused'), { kind: 'unknownSession' });
  }

  #stopSession(sessionId: string): void {
    if (this.#runningSession?.session.id === sessionId) this.#endSession(this.#runningSession);
    else if (!this.#sessions.has(sessionId)) this.#storeSession(sessionId, 'refused');
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
    this.#unacknowledged = this.#unacknowledged.filter(
      (report) => report.sessionId !== sessionId || report.number > reportNumber,
    );
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
      this.#faults = { ...this.#faults, reportTwice: undefined };
    }
  }

  #addReport(session: MachineSession, event: MachineEvent): void {
    session.lastNumber += 1;
    const report: MachineReport = {
      sessionId: session.id,
      number: session.lastNumber,
      occurredAt: this.#options.clock.getTimestamp(),
      event,
    };
    this.#unacknowledged.push(report);
    this.#sendReport?.(report);
    if (this.#faults.reportTwice === true) this.#sendReport?.(report);
  }

  #disconnectOn(when: 'now' | 'after-confirm' | 'after-approval'): void {
    const { unplug } = this.#faults;
    if (unplug?.when !== when) return;
    this.#faults = { ...this.#faults, unplug: undefined };
    this.#sendReport = null;
    this.#options.unplug(unplug.forMs);
  }

  #storeSession(id: string, state: MachineSession['state']): MachineSession {
    const session: MachineSession = { id, lastNumber: 0, state };
    this.#sessions.set(id, session);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > STORED_SESSIONS_MAX && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }
}
