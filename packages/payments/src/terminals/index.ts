// Terminals and their sessions: status of a terminal, commands to a machine, and the machine bound to it.
export { getTerminal, listTerminals, type TerminalView } from './terminals.js';
export { admitMachine, resetMachine } from './machine-bindings.js';
export { type TerminalSessionRequest, TerminalSessions } from './terminal-sessions.js';
export { listSessionsOfTerminal } from './session-listing.js';
export { listMachineCommands, type MachineCommand } from './machine-commands.js';
