#!/usr/bin/env node
import { runCommand } from './command.js';

/** Ctrl-C ends the active run with its cleanup, so that no lock of a flow stays at the EPOS. */
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
    // A user who only lists the flows should not wait for a database.
    openHouse: async () => (await import('./house.js')).openHouse(),
    stop: stop.signal,
  });
} finally {
  process.off('SIGINT', end);
  process.off('SIGTERM', end);
}
