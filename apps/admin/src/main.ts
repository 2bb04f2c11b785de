#!/usr/bin/env node
import { readConfig } from '@pos/service-kit/config';
import { exitOnFailure, exitOnSignal, protectMemory } from '@pos/service-kit/lifecycle';
import { identifyOperatingSystemUser } from './command/actor.js';
import { runCommand } from './command/application.js';
import { CATALOG } from './commands/all-commands.js';

exitOnSignal();
try {
  protectMemory(process.env);
  process.exitCode = await runCommand(CATALOG, process.argv.slice(2), {
    env: process.env,
    operatingSystem: identifyOperatingSystemUser(process.env),
    readSettings: (schema) => readConfig(schema, process.env),
    writeOutput: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
  });
} catch (error) {
  exitOnFailure(error);
}
