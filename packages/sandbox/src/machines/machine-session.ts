import type { CancelTask } from '../clock/simulation-clock.js';
import type { CardReadingResult } from './machine-acquirer-client.js';
import type { MachineEvent, StartCommand } from './machine-commands.js';
import type { MachineNotification, MachineScript, ScriptStep } from './machine-script.js';
import type { SessionStage } from './machine-taps.js';

/** A session that the machine has received, also after its end. */
export interface MachineSession {
  readonly id: string;
  lastNumber: number;
  /** `refused`: a stop arrived before the start. */
  state: 'running' | 'ended' | 'refused';
}

/** The session that the machine works on. */
export interface RunningSession {
  readonly session: MachineSession;
  readonly start: StartCommand;
  script: MachineScript;
  /** The steps of the newest plan that have not run; null before the first plan. */
  pendingSteps: ScriptStep[] | null;
  stage: SessionStage;
  shows: MachineNotification | null;
  lastEvent: MachineEvent | null;
  readonly cancels: CancelTask[];
  cardReading: Promise<CardReadingResult> | null;
  isCardInserted: boolean;
  isReporting: boolean;
  /** A person operates it: it waits for taps. */
  isOperated: boolean;
}

const STORED_SESSIONS_MAX = 1_000;

/** The sessions of a machine, so that a repeated start runs once. The oldest are dropped. */
export class MachineSessionList {
  readonly #sessions = new Map<string, MachineSession>();

  findSession(id: string): MachineSession | undefined {
    return this.#sessions.get(id);
  }

  addSession(id: string, state: MachineSession['state']): MachineSession {
    const session: MachineSession = { id, lastNumber: 0, state };
    this.#sessions.set(id, session);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > STORED_SESSIONS_MAX && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }
}

const CARD_INSERTED_NOTIFICATIONS: ReadonlySet<MachineNotification> = new Set([
  'PleaseWait',
  'EnterPin',
  'RemoveCard',
  'Approved',
  'Declined',
]);

/** Whether a machine displays this only after a card was presented. */
export function isShownWithCard(shows: MachineNotification): boolean {
  return CARD_INSERTED_NOTIFICATIONS.has(shows);
}
