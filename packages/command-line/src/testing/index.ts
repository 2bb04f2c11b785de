// Test support for commands: all commands of a catalogue at once, which no program loads.
export { loadCommands } from '../command-catalog.js';
