// REST operations for terminal sessions: create, read and cancel them, and decide on a signature.
export {
  cancelTerminalSession,
  createTerminalSession,
  decideSignature,
  readTerminalSession,
  TerminalSession,
} from './terminal-sessions.js';
