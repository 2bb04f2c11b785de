#!/usr/bin/env node
import { runCommand } from './command.js';

/** Ctrl-C ends the run under way with its cleanup: an EPOS must not be left with what a flow has locked. */
const stop = new AbortController();
const end = (): void => {
  stop.abort();
};
process.on('SIGINT', end);
process.on('SIGTERM', end);
try {
  process.exitCode = await runCommand(process.argv.slice(2), {
    write: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    password: process.env['TESTER_EPOS_PASSWORD'],
    apiKey: process.env['TESTER_API_KEY'],
    // Whoever asks for the list of flows is not to wait for a database.
    openHouse: async () => (await import('./house.js')).openHouse(),
    stop: stop.signal,
  });
} finally {
  process.off('SIGINT', end);
  process.off('SIGTERM', end);
}
