#!/usr/bin/env node
import { runUntilStopped } from '@pos/conformance/command';
import { runCommand } from './command.js';

process.exitCode = await runUntilStopped((stop) =>
  runCommand(process.argv.slice(2), {
    write: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    credential: process.env['ACQUIRER_CREDENTIAL'],
    stop,
    now: () => new Date(performance.timeOrigin + performance.now()),
  }),
);
