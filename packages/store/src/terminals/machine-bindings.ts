import type { TerminalId } from '@pos/core/identity';
import { defineStatement } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

/** The machine of a terminal. */
export interface MachineBinding {
  readonly serialNumber: string;
  readonly credentialHash: Buffer;
  /** Database time; with the terminal it identifies the binding. */
  readonly boundAt: Date;
}

interface BindingRow {
  readonly terminal_id: TerminalId;
  readonly serial_number: string;
  readonly credential_hash: Buffer;
  readonly bound_at: Date;
}

const BIND = defineStatement(
  'bind_machine',
  `insert into machine_bindings (account_id, environment, terminal_id, serial_number, credential_hash, bound_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (account_id, environment, terminal_id) do nothing`,
);
const BOUND = defineStatement(
  'find_machine_bindings',
  `select terminal_id, serial_number, credential_hash, bound_at from machine_bindings
   where account_id = $1 and environment = $2 and terminal_id = any($3)`,
);
const UNBIND = defineStatement(
  'unbind_machine',
  `delete from machine_bindings where account_id = $1 and environment = $2 and terminal_id = $3
   returning serial_number`,
);

/**
 * Binds the terminal to the machine unless it is bound already, and returns the valid binding. Of two concurrent
 * calls one wins.
 */
export async function bindMachine(
  tx: Tx,
  terminalId: TerminalId,
  machine: Pick<MachineBinding, 'serialNumber' | 'credentialHash'>,
): Promise<{ readonly binding: MachineBinding; readonly isNew: boolean }> {
  const { accountId, environment } = tx.scope;
  const existing = (await findMachineBindings(tx, [terminalId])).get(terminalId);
  if (existing !== undefined) return { binding: existing, isNew: false };
  const { serialNumber, credentialHash } = machine;
  await tx.query(BIND, [accountId, environment, terminalId, serialNumber, credentialHash, tx.databaseNow]);
  const binding = (await findMachineBindings(tx, [terminalId])).get(terminalId);
  // It was reset between the two statements: the machine connects again.
  if (binding === undefined) return { binding: { ...machine, boundAt: tx.databaseNow }, isNew: false };
  return { binding, isNew: binding.boundAt.getTime() === tx.databaseNow.getTime() };
}

/** The bindings of those of the terminals that are bound. */
export async function findMachineBindings(
  reader: Reader,
  terminalIds: readonly TerminalId[],
): Promise<ReadonlyMap<TerminalId, MachineBinding>> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<BindingRow>(BOUND, [accountId, environment, [...terminalIds]]);
  return new Map(
    rows.map((row) => [
      row.terminal_id,
      { serialNumber: row.serial_number, credentialHash: row.credential_hash, boundAt: row.bound_at },
    ]),
  );
}

/** Frees the terminal for another machine; returns the serial number of the one before, or null when there was none. */
export async function unbindMachine(tx: Tx, terminalId: TerminalId): Promise<string | null> {
  const { accountId, environment } = tx.scope;
  const [row] = await tx.query<{ serial_number: string }>(UNBIND, [accountId, environment, terminalId]);
  return row?.serial_number ?? null;
}
