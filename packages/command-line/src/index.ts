// Command-line programs: commands, flags, parsing of arguments, completions and help.
export { type CommandInput, type CommandLine, listCompletions, type OutputStreams, runWords } from './command-line.js';
export { type Flag, type Flags, type FlagValues, PLAIN_FLAG, toggle, toKebab } from './command-flags.js';
export type { BriefedCommand, CommandCatalog, CommandShape, Operands } from './command-catalog.js';
export { openInBrowser } from './browser-opener.js';
