import type { Money } from '@pos/core/money';
import type { MachineEvent, StartCommand } from './machine-commands.js';
import type { MachineNotification } from './machine-script.js';
import type { SessionStage } from './machine-taps.js';

/** The end of the last session, as the machine displays it. */
export interface MachineOutcome {
  readonly sessionId: string;
  readonly total: Money;
  /** `stopped`: the service ended the session, for example because it has expired. */
  readonly outcome: 'approved' | 'declined' | 'canceled' | 'unable' | 'signatureRejected' | 'stopped';
  readonly maskedNumber: string | null;
  readonly authCode: string | null;
}

/** What a machine displays of its session. */
export interface MachineScreen {
  readonly session: {
    readonly sessionId: string;
    readonly sessionType: StartCommand['sessionType'];
    readonly total: Money;
    readonly stage: SessionStage;
    readonly shows: MachineNotification | null;
  } | null;
  readonly lastOutcome: MachineOutcome | null;
}

/** The outcome of a session from its last report. */
export function createOutcome(start: StartCommand, event: MachineEvent | null): MachineOutcome {
  const card = event !== null && 'result' in event ? (event.result.callState.call?.card ?? null) : null;
  const authCode = event?.kind === 'approved' ? (event.result.callState.call?.authCode ?? null) : null;
  return {
    ...{ sessionId: start.sessionId, total: start.total },
    outcome: findOutcome(event),
    maskedNumber: card?.maskedNumber ?? null,
    authCode,
  };
}

function findOutcome(event: MachineEvent | null): MachineOutcome['outcome'] {
  switch (event?.kind) {
    case 'approved':
    case 'declined':
    case 'canceled':
    case 'unable':
      return event.kind;
    case 'confirmed':
    case 'notification':
    case 'unknownSession':
    case undefined:
      return 'stopped';
  }
}
