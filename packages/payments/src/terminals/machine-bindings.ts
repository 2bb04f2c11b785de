import type { Caller } from '@pos/core/accounts';
import { isSameHash } from '@pos/core/ids';
import { Refusal } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import { bindMachine, findTerminal, type Terminal, unbindMachine } from '@pos/store/terminals';
import { insertOperatorCall } from '@pos/store/repositories';
import { createHash } from 'node:crypto';
import { getTerminal, type TerminalView } from './terminals.js';

/** The identity of a machine. */
export interface MachineIdentity {
  readonly serialNumber: string;
  /** A secret of at least 256 random bits, which the machine has created itself. */
  readonly credential: string;
}

/** Whether a machine may serve a terminal. `boundAt` identifies its binding. */
export type MachineAdmission =
  | { readonly outcome: 'admitted'; readonly boundAt: Date; readonly isNew: boolean }
  | { readonly outcome: 'serialNumberDiffers' | 'credentialDiffers' };

/** Admits the machine to which the terminal is bound; an unbound terminal is bound now. */
export async function admitMachine(tx: Tx, { id }: Terminal, machine: MachineIdentity): Promise<MachineAdmission> {
  const credentialHash = hashCredential(tx, id, machine.credential);
  const { serialNumber } = machine;
  const { binding, isNew } = await bindMachine(tx, id, { serialNumber, credentialHash });
  // The credential is checked first: a caller without it must not learn the serial number, not even by a different
  // refusal.
  if (!isSameHash(binding.credentialHash, credentialHash)) return { outcome: 'credentialDiffers' };
  if (binding.serialNumber !== serialNumber) return { outcome: 'serialNumberDiffers' };
  return { outcome: 'admitted', boundAt: binding.boundAt, isNew };
}

/** The terminal to reset, the operator and the reason. */
export interface MachineResetRequest {
  readonly caller: Pick<Caller, 'keyId'>;
  readonly terminalId: string;
  readonly note: string;
}

/**
 * Deletes the binding of a terminal: its stream ends, and the next machine that opens one is bound. Stored in the
 * audit log. Refuses `terminal_not_found`.
 */
export async function resetMachine(tx: Tx, { caller, terminalId, note }: MachineResetRequest): Promise<TerminalView> {
  const terminal = await findTerminal(tx, terminalId);
  if (terminal === null) throw new Refusal('terminal_not_found', 'there is no such terminal');
  const serialNumber = await unbindMachine(tx, terminal.id);
  await insertOperatorCall(tx, {
    ...{ keyId: caller.keyId, action: 'ResetMachine', subject: terminal.id, note, isConfirmed: false, outcome: 'Done' },
    ...{ stateBefore: serialNumber === null ? 'Unbound' : `Bound to ${serialNumber}`, stateAfter: 'Unbound' },
  });
  tx.hint('machines', terminal.id);
  return getTerminal(tx, terminal.id);
}

/** A secret of 256 random bits needs no pepper, so a machine is not locked out when the pepper changes. */
function hashCredential({ scope }: Tx, terminalId: string, credential: string): Buffer {
  const hashedParts = ['machine credential', scope.accountId, scope.environment, terminalId, credential];
  return createHash('sha256').update(hashedParts.join('\0'), 'utf8').digest();
}
