import { ADMINISTRATION_KEY_ID, type AuditedChange, type AuditState } from '@pos/core/administration';
import { createViolation, requireValue } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import { isUniqueViolation } from '@pos/postgres/statements';
import {
  findMachineBindings,
  findTerminal,
  findTerminalActivity,
  findTerminalByTid,
  insertTerminal,
  lockTerminal,
  type Terminal,
  unbindMachine,
  updateTerminal,
} from '@pos/store/terminals';
import { listTerminals, resetMachine, type TerminalView } from '@pos/payments/terminals';
import { recordChange, requireAccount, requireActiveAccount, requireLine } from '@pos/payments/audit';
import { requireLocation } from './location-administration.js';

/** A terminal to register: the TID that the acquirer has assigned to the card machine. */
export interface TerminalRegistration {
  readonly tid: string;
  readonly name: string;
  readonly model?: string;
  /** The location of the terminal; the first one of the account when left out. */
  readonly location?: string;
}

/** Another machine for a terminal; what is left out stays. */
export interface TerminalReplacement {
  readonly terminal: string;
  readonly tid?: string;
  readonly model?: string;
}

/** A terminal with the machine that it belongs to; null before its first connection. */
export interface AdministeredTerminal extends TerminalView {
  readonly machineSerialNumber: string | null;
}

const TID = /^[A-Za-z0-9_-]{1,64}$/;
const NAME_LENGTH_MAX = 100;
const MODEL_LENGTH_MAX = 60;

/**
 * Registers a terminal. The first card machine that connects under its TID is bound to it. Refuses an unknown or
 * disabled account, an unknown location, and a TID that the account has already.
 */
export async function registerTerminal(
  tx: Tx,
  change: AuditedChange,
  { tid, name, model, location }: TerminalRegistration,
): Promise<Terminal> {
  await requireActiveAccount(tx);
  requireTid(tid);
  requireLine('name', name, NAME_LENGTH_MAX);
  requireModel(model);
  await requireFreeTid(tx, tid);
  const locationId = location === undefined ? null : (await requireLocation(tx, location)).id;
  const id = await tx.newId('terminal');
  await insertTerminal(tx, { id, tid, name, model: model ?? null, locationId }).catch(toTakenRefusal);
  const terminal = requireValue(await findTerminal(tx, id), `terminal ${id}`);
  await recordChange(tx, change, { action: 'RegisterTerminal', subject: id, after: describeTerminal(terminal) });
  return terminal;
}

/**
 * Gives a terminal to another card machine: the stream of the previous machine ends, and the next one that connects
 * under the TID is bound. Refuses an unknown terminal, one that runs a session, and a TID that another terminal has.
 */
export async function replaceTerminal(
  tx: Tx,
  change: AuditedChange,
  { terminal: terminalId, tid, model }: TerminalReplacement,
): Promise<Terminal> {
  await requireActiveAccount(tx);
  const terminal = await requireLockedTerminal(tx, terminalId);
  if ((await findTerminalActivity(tx, terminal.id))?.hasRunningSession === true) {
    throw createViolation('validation_failed', 'terminal', 'runs a session: wait until it has ended');
  }
  requireModel(model);
  if (tid !== undefined && tid !== terminal.tid) {
    requireTid(tid);
    await requireFreeTid(tx, tid);
  }
  const serialNumber = await unbindMachine(tx, terminal.id);
  const request = { ...(tid !== undefined && { tid }), ...(model !== undefined && { model }) };
  await updateTerminal(tx, terminal.id, request).catch(toTakenRefusal);
  tx.hint('machines', terminal.id);
  const after = requireValue(await findTerminal(tx, terminal.id), `terminal ${terminal.id}`);
  await recordChange(tx, change, {
    ...{ action: 'ReplaceTerminal', subject: terminal.id },
    before: { ...describeTerminal(terminal), machineSerialNumber: serialNumber },
    after: { ...describeTerminal(after), machineSerialNumber: null },
  });
  return after;
}

/** Frees a terminal whose machine has lost its credential; the next machine that connects is bound. */
export async function resetTerminalCredential(
  tx: Tx,
  change: AuditedChange,
  terminalId: string,
): Promise<TerminalView> {
  await requireAccount(tx);
  const terminal = await requireLockedTerminal(tx, terminalId);
  const binding = (await findMachineBindings(tx, [terminal.id])).get(terminal.id);
  const caller = { keyId: ADMINISTRATION_KEY_ID };
  const view = await resetMachine(tx, { caller, terminalId: terminal.id, note: change.reason });
  await recordChange(tx, change, {
    ...{ action: 'ResetTerminalCredential', subject: terminal.id },
    before: { machineSerialNumber: binding?.serialNumber ?? null },
    after: { machineSerialNumber: null },
  });
  return view;
}

/** The terminals of the scope by TID, each with its machine. Refuses an unknown account. */
export async function listAdministeredTerminals(reader: Reader): Promise<AdministeredTerminal[]> {
  await requireAccount(reader);
  const views = await listTerminals(reader, []);
  const bindings = await findMachineBindings(
    reader,
    views.map(({ terminal }) => terminal.id),
  );
  return views.map((view) => ({
    ...view,
    machineSerialNumber: bindings.get(view.terminal.id)?.serialNumber ?? null,
  }));
}

async function requireLockedTerminal(tx: Tx, id: string): Promise<Terminal> {
  const terminal = await lockTerminal(tx, id);
  if (terminal === null) throw createViolation('validation_failed', 'terminal', 'is not a terminal of the account');
  return terminal;
}

function requireTid(tid: string): void {
  if (TID.test(tid)) return;
  throw createViolation('validation_failed', 'tid', 'must be 1 to 64 letters, digits, hyphens and underscores');
}

function requireModel(model: string | undefined): void {
  if (model !== undefined) requireLine('model', model, MODEL_LENGTH_MAX);
}

async function requireFreeTid(tx: Tx, tid: string): Promise<void> {
  const other = await findTerminalByTid(tx, tid);
  if (other !== null) throw createViolation('validation_failed', 'tid', `is the TID of terminal ${other.id}`);
}

/** Another transaction has registered the TID at the same time. */
function toTakenRefusal(error: unknown): never {
  throw isUniqueViolation(error)
    ? createViolation('validation_failed', 'tid', 'is the TID of another terminal')
    : error;
}

function describeTerminal({ tid, name, model, locationId }: Terminal): AuditState {
  return { tid, name, model, locationId };
}
