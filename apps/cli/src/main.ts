#!/usr/bin/env node
import { completeWords, runCommand } from './command/application.js';
import { CATALOG } from './commands/all-commands.js';
import { RELEASE } from './release.js';

const COLUMNS = 80;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // A second signal ends the process at once.
    stop.abort();
  });
}
// A reader such as `head` may close the pipe before everything is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  stop.abort();
});
const words = process.argv.slice(2);
if (words[0] === '--complete') {
  // What `pos completion` asks for.
  const proposed = await completeWords(CATALOG, words.slice(1));
  process.stdout.write(proposed.map((each) => `${each}\n`).join(''));
} else {
  process.exitCode = await runCommand(CATALOG, words, {
    ...{ env: process.env, cwd: process.cwd(), release: RELEASE, stop: stop.signal },
    writeOutput: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    // A terminal whose width is unknown has 0 columns.
    terminalColumns: process.stderr.isTTY ? process.stderr.columns || COLUMNS : null,
  });
}
