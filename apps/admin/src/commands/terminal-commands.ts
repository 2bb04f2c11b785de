import {
  listAdministeredTerminals,
  registerTerminal,
  replaceTerminal,
  resetTerminalCredential,
} from '@pos/administration/accounts';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { account, environment, optional, text } from '../command/flags.js';
import { formatValue, toTable } from '../command/result-lines.js';

const register = defineChange({
  path: 'terminal register',
  details: ['The first machine that connects under the TID is bound to the terminal, by serial number and credential.'],
  examples: ['terminal register --account acc_... --tid 10000001 --name "Bar" --model "Move 5000" --reason "order 12"'],
  flags: {
    account: account(),
    environment: environment(),
    tid: text('The terminal id that the acquirer has assigned.', 'tid'),
    name: text('The name for operators and integrators.', 'name'),
    model: optional(text('The model of the machine.', 'model')),
    location: optional(text('The location; the first one of the account when left out.', 'loc_...')),
  },
  async run(session, { values, change }) {
    const { tid, name, model, location } = values;
    const request = { tid, name, ...(model !== undefined && { model }), ...(location !== undefined && { location }) };
    const terminal = await session.transact(values, (tx) => registerTerminal(tx, change, request));
    return { data: terminal, lines: [`registered ${terminal.id} with TID ${terminal.tid}`] };
  },
});

const replace = defineChange({
  path: 'terminal replace',
  details: [
    'The stream of the previous machine ends within a second. The next machine that connects under the TID is bound.',
  ],
  examples: ['terminal replace --account acc_... --terminal tm_prod_... --tid 10000009 --reason "display broken"'],
  flags: {
    account: account(),
    environment: environment(),
    terminal: text('The terminal.', 'tm_...'),
    tid: optional(text('The TID of the new machine; unchanged when left out.', 'tid')),
    model: optional(text('The model of the new machine; unchanged when left out.', 'model')),
  },
  async run(session, { values, change }) {
    const { terminal, tid, model } = values;
    const request = { terminal, ...(tid !== undefined && { tid }), ...(model !== undefined && { model }) };
    const changed = await session.transact(values, (tx) => replaceTerminal(tx, change, request));
    return { data: changed, lines: [`${changed.id} accepts the next machine with TID ${changed.tid}`] };
  },
});

const resetCredential = defineChange({
  path: 'terminal reset-credential',
  details: ['The machine, or another one, is bound again when it next connects.'],
  examples: ['terminal reset-credential --account acc_... --terminal tm_prod_... --reason "machine was reset"'],
  flags: { account: account(), environment: environment(), terminal: text('The terminal.', 'tm_...') },
  async run(session, { values, change }) {
    const { terminal } = await session.transact(values, (tx) => resetTerminalCredential(tx, change, values.terminal));
    return { data: { id: terminal.id, tid: terminal.tid }, lines: [`${terminal.id} is free for the next machine`] };
  },
});

const listAll = defineQuery({
  path: 'terminal list',
  examples: ['terminal list --account acc_... --environment sandbox'],
  flags: { account: account(), environment: environment() },
  async run(session, { values }) {
    const terminals = await session.read(values, listAdministeredTerminals);
    const rows = terminals.map(({ terminal, status, machineSerialNumber }) => [
      ...[terminal.id, terminal.tid, status, formatValue(machineSerialNumber), formatValue(terminal.model)],
      terminal.name,
    ]);
    return {
      data: terminals.map(({ terminal, status, machineSerialNumber }) => {
        const { id, tid, name, model, locationId, createdAt } = terminal;
        return { id, tid, name, model, locationId, createdAt, status, machineSerialNumber };
      }),
      lines: toTable(['TERMINAL', 'TID', 'STATUS', 'MACHINE', 'MODEL', 'NAME'], rows, 'there are no terminals'),
    };
  },
});

export const TERMINAL_COMMANDS: readonly CommandDefinition[] = [register, replace, resetCredential, listAll];
