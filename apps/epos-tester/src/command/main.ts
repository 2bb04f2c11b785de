#!/usr/bin/env node
import { runUntilStopped } from '@pos/conformance/command';
import { runCommand } from './command.js';

process.exitCode = await runUntilStopped((stop) =>
  runCommand(process.argv.slice(2), {
    write: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    password: process.env['TESTER_EPOS_PASSWORD'],
    apiKey: process.env['TESTER_API_KEY'],
    // A user who only lists the flows should not wait for a database.
    openTemporaryDatabase: async () => (await import('./temporary-database.js')).openTemporaryDatabase(),
    stop,
  }),
);
