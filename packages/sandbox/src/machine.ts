import type { AcquirerDoor } from './acquirer-door.js';
import type { Cancel, WorldClock } from './clock.js';
import { CardReading, type Reading } from './card-reading.js';
import type { CardResult, MachineCommand, MachineEvent, MachineReport, StartCommand } from './machine-message.js';
import { castPlay, type MachineModel, type Play, type Shown, type Step } from './machine-play.js';

/** What can be made to go wrong with one machine, once. Times are real milliseconds. */
export interface MachineFaults {
  /** The stream breaks at once, after the next `confirmed`, or between the acquirer's yes and its report. */
  readonly unplug?: { readonly when: 'now' | 'after-confirm' | 'after-approval'; readonly forMs: number } | undefined;
  /** The next result is reported this much later. */
  readonly answerLateByMs?: number | undefined;
  /** Each report of the next session is sent twice. */
  readonly reportTwice?: boolean | undefined;
  /** Until changed: somebody uses the machine for something else. */
  readonly inUse?: boolean | undefined;
}

/** What a machine needs of the world. */
export interface MachinePlace {
  readonly model: MachineModel;
  readonly merchantId: string;
  readonly door: AcquirerDoor;
  readonly clock: WorldClock;
  /** Breaks the machine's stream and keeps it broken for so long. */
  readonly unplug: (forMs: number) => void;
}

interface Session {
  readonly id: string;
  lastNumber: number;
  /** `refused`: told to stop before it was started. */
  state: 'running' | 'ended' | 'refused';
}

interface Running {
  readonly session: Session;
  readonly start: StartCommand;
  readonly play: Play;
  readonly cancels: Cancel[];
  reading: Promise<Reading> | null;
  isCardIn: boolean;
  isTelling: boolean;
}

const SESSIONS_REMEMBERED_MAX = 1_000;
/** A signature slip that nobody judges does not block the machine for ever. Simulated time. */
const SIGNATURE_WAIT_MS = 120_000;
const CARD_IN: ReadonlySet<Shown> = new Set(['PleaseWait', 'EnterPin', 'RemoveCard', 'Approved', 'Declined']);

/**
 * One simulated card machine. It knows nothing of streams: what it has to say goes to `send` while there is one, and
 * stays on its list until acknowledged. A session goes on while the stream is broken, as it would on a real machine.
 */
export class CardMachine {
  readonly model: MachineModel;
  readonly #place: MachinePlace;
  readonly #reading: CardReading;
  readonly #sessions = new Map<string, Session>();
  #running: Running | null = null;
  #unacknowledged: MachineReport[] = [];
  #send: ((report: MachineReport) => void) | null = null;
  #faults: MachineFaults = {};
  #sessionsRun = 0;

  constructor(place: MachinePlace) {
    this.#place = place;
    this.model = place.model;
    this.#reading = new CardReading(place);
  }

  isInUse(): boolean {
    return this.model.behaviour === 'busy' || this.#faults.inUse === true;
  }

  /** The session to be named in a hello: the running one, or one with reports that nobody has acknowledged. */
  unfinishedSession(): { readonly sessionId: string; readonly lastReportNumber: number } | null {
    const id = this.#running?.session.id ?? this.#unacknowledged[0]?.sessionId;
    const session = id === undefined ? undefined : this.#sessions.get(id);
    return session === undefined ? null : { sessionId: session.id, lastReportNumber: session.lastNumber };
  }

  /** A stream serves: everything unacknowledged is said again, in order. */
  connected(send: (report: MachineReport) => void): void {
    this.#send = send;
    for (const report of this.#unacknowledged) send(report);
  }

  disconnected(): void {
    this.#send = null;
  }

  /** Taken out of service: whatever it was doing stops, and nothing is said of it any more. */
  switchOff(): void {
    this.#send = null;
    for (const cancel of this.#running?.cancels ?? []) cancel();
    this.#running = null;
  }

  setFaults(faults: MachineFaults): void {
    this.#faults = faults;
    if (faults.unplug?.when === 'now') this.#pullPlug('now');
  }

  describe(): { faults: MachineFaults; runningSessionId: string | null; unacknowledged: number; isConnected: boolean } {
    return {
      faults: this.#faults,
      runningSessionId: this.#running?.session.id ?? null,
      unacknowledged: this.#unacknowledged.length,
      isConnected: this.#send !== null,
    };
  }

  receive(command: MachineCommand): void {
    switch (command.kind) {
      case 'start':
        this.#start(command.start);
        return;
      case 'cancel':
        this.#cancel(command.sessionId);
        return;
      case 'stop':
        this.#stop(command.sessionId);
        return;
      case 'signature':
        if (this.#running?.session.id === command.sessionId) this.#end(this.#running);
        return;
      case 'ack':
        this.#acknowledged(command);
        return;
    }
  }

  #start(start: StartCommand): void {
    const known = this.#sessions.get(start.sessionId);
    if (known !== undefined && known.state !== 'refused') return;
    const session = known ?? this.#remember(start.sessionId, 'ended');
    const refusal = this.#refusalOf(session, start);
    if (refusal !== null) {
      const isSaid = this.#unacknowledged.some(({ sessionId }) => sessionId === session.id);
      if (!isSaid) this.#report(session, { kind: 'unable', reason: refusal });
      return;
    }
    // A new session is only sent when the service has done with the old one: its `stop` was lost on the way.
    if (this.#running !== null) this.#end(this.#running);
    session.state = 'running';
    this.#run(session, start);
  }

  #refusalOf(session: Session, start: StartCommand): string | null {
    if (session.state === 'refused') return 'told to stop before it was started';
    if (this.isInUse()) return 'in use at the machine';
    if (start.secondsLeft < 0) return 'arrived too late';
    if (this.#running?.isCardIn === true) return 'busy with another card';
    return null;
  }

  #run(session: Session, start: StartCommand): void {
    const { door, clock, merchantId } = this.#place;
    const play = castPlay({
      model: this.model,
      totalMinorUnits: start.total.value,
      isRefund: start.sessionType !== 'Sale',
      isCardholderAbsent: start.isCardholderAbsent,
      areAmountTriggersOn: door.acquirer.areAmountTriggersOn(merchantId),
      earlierSessions: this.#sessionsRun,
      hasEarlierAttempt: (cardNumber) =>
        door.acquirer.earlierAttempts({ merchantId, amount: start.total, cardNumber }) % 2 === 1,
    });
    this.#sessionsRun += 1;
    const running: Running = { session, start, play, cancels: [], reading: null, isCardIn: false, isTelling: false };
    this.#running = running;
    const waiting = [...play.steps];
    for (const { atMs } of play.steps) {
      running.cancels.push(
        clock.after(atMs, () => {
          this.#stepsUntil(running, waiting, atMs);
        }),
      );
    }
    const giveUpMs = Math.max(1, start.secondsLeft) * 1_000;
    running.cancels.push(
      clock.afterReal(giveUpMs, () => {
        this.#giveUp(running);
      }),
    );
  }

  /** Timers of a busy process fire late and in any order, so that each makes up for those before it. */
  #stepsUntil(running: Running, waiting: Step[], atMs: number): void {
    for (let [next] = waiting; next !== undefined && next.atMs <= atMs; [next] = waiting) {
      if (running.session.state !== 'running') return;
      waiting.shift();
      this.#step(running, next);
    }
  }

  #step(running: Running, step: Step): void {
    switch (step.does) {
      case 'confirm':
        this.#report(running.session, { kind: 'confirmed' });
        this.#pullPlug('after-confirm');
        return;
      case 'show':
        this.#show(running, step.shows);
        return;
      case 'cancel':
        this.#report(running.session, { kind: 'canceled', isByGateway: false });
        this.#end(running);
        return;
      case 'ask':
        running.isCardIn = true;
        running.reading = this.#reading.ask(running.start, running.play);
        return;
      case 'tell':
        this.#tellWhenDecided(running);
        return;
    }
  }

  #show(running: Running, shows: Shown): void {
    if (CARD_IN.has(shows)) running.isCardIn = true;
    this.#report(running.session, { kind: 'notification', shows });
  }

  #giveUp(running: Running): void {
    if (running.isCardIn || this.#running !== running || !running.play.givesUp) return;
    this.#report(running.session, { kind: 'canceled', isByGateway: false });
    this.#end(running);
  }

  #tellWhenDecided(running: Running): void {
    if (running.reading === null || running.isTelling) return;
    running.isTelling = true;
    void running.reading.then((reading) => {
      const lateByMs = this.#faults.answerLateByMs ?? 0;
      this.#faults = { ...this.#faults, answerLateByMs: undefined };
      if (lateByMs === 0) this.#tell(running, reading);
      else
        this.#place.clock.afterReal(lateByMs, () => {
          this.#tell(running, reading);
        });
    });
  }

  /** Said even when the session was stopped meanwhile: the money has moved, and somebody has to know. */
  #tell(running: Running, reading: Reading): void {
    const { session, play, start } = running;
    if (reading.kind === 'unreachable') {
      this.#report(session, { kind: 'unable', reason: 'the acquirer cannot be reached' });
      this.#end(running);
      return;
    }
    const isApproved = reading.standing.outcome === 'Approved';
    if (isApproved) this.#pullPlug('after-approval');
    if (play.isOutcomeShown) this.#show(running, isApproved ? 'Approved' : 'Declined');
    const result: CardResult = {
      acquirerReference: start.acquirerReference,
      standing: reading.standing,
      card: play.card,
      merchantId: this.#place.merchantId,
    };
    const isSignatureNeeded = isApproved && play.isSignatureNeeded;
    this.#report(session, isApproved ? { kind: 'approved', result, isSignatureNeeded } : { kind: 'declined', result });
    if (isSignatureNeeded && this.#running === running) {
      running.cancels.push(
        this.#place.clock.after(SIGNATURE_WAIT_MS, () => {
          this.#end(running);
        }),
      );
    } else {
      this.#end(running);
    }
  }

  #cancel(sessionId: string): void {
    const running = this.#running;
    if (running?.session.id === sessionId) {
      if (running.isCardIn) return;
      this.#report(running.session, { kind: 'canceled', isByGateway: true });
      this.#end(running);
      return;
    }
    if (this.#sessions.has(sessionId)) return;
    this.#report(this.#remember(sessionId, 'refused'), { kind: 'unknownSession' });
  }

  #stop(sessionId: string): void {
    if (this.#running?.session.id === sessionId) this.#end(this.#running);
    else if (!this.#sessions.has(sessionId)) this.#remember(sessionId, 'refused');
  }

  #acknowledged({
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
    if (isStop) this.#stop(sessionId);
  }

  /** Ends the session on the machine. What was asked of the acquirer is still told when the answer comes. */
  #end(running: Running): void {
    running.session.state = 'ended';
    for (const cancel of running.cancels) cancel();
    this.#tellWhenDecided(running);
    if (this.#running === running) {
      this.#running = null;
      this.#faults = { ...this.#faults, reportTwice: undefined };
    }
  }

  #report(session: Session, event: MachineEvent): void {
    session.lastNumber += 1;
    const report: MachineReport = {
      sessionId: session.id,
      number: session.lastNumber,
      occurredAt: this.#place.clock.stamp(),
      event,
    };
    this.#unacknowledged.push(report);
    this.#send?.(report);
    if (this.#faults.reportTwice === true) this.#send?.(report);
  }

  #pullPlug(when: 'now' | 'after-confirm' | 'after-approval'): void {
    const { unplug } = this.#faults;
    if (unplug?.when !== when) return;
    this.#faults = { ...this.#faults, unplug: undefined };
    this.#send = null;
    this.#place.unplug(unplug.forMs);
  }

  #remember(id: string, state: Session['state']): Session {
    const session: Session = { id, lastNumber: 0, state };
    this.#sessions.set(id, session);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > SESSIONS_REMEMBERED_MAX && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }
}
