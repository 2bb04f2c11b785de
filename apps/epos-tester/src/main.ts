#!/usr/bin/env node
import { ConfigError, readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { openLog } from '@pos/service-kit/log';
import { Config } from './config.js';

const words = process.argv.slice(2);
if (words.length === 0) await serve();
else process.exitCode = await command();

async function serve(): Promise<void> {
  // Each of the two loads only what it needs: who asks for the list of flows is not to wait for a server of HTTP.
  const { boot } = await import('./boot.js');
  const config = settings();
  const log = openLog({ app: 'epos-tester', level: config.LOG_LEVEL });
  const tester = await boot(config, log);
  drainOnSignal({ log, steps: [{ name: 'epos-tester', stop: () => tester.close() }] });
  log.info('process.started', { url: tester.url });
}

/** Ctrl-C ends the run under way with its cleanup: an EPOS must not be left with what a flow has locked. */
async function command(): Promise<number> {
  const { runCommand } = await import('./command/command.js');
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  try {
    return await runCommand(words, {
      write: (text) => process.stdout.write(text),
      writeError: (text) => process.stderr.write(text),
      password: process.env['TESTER_EPOS_PASSWORD'],
      apiKey: process.env['TESTER_API_KEY'],
      openHouse: async () => (await import('./command/house.js')).openHouse(),
      stop: stop.signal,
    });
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
}

function settings(): Config {
  try {
    return readConfig(Config, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
