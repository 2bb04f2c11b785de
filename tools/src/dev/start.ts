import { formatBanner } from './banner.js';
import { openInBrowser } from '@pos/command-line';
import { isWatching, readWorldOptions } from './dev-settings.js';
import { followSources } from './follow.js';
import { runInForeground } from './foreground.js';

const HELP = `Usage: npm start

Starts the whole service on this machine: PostgreSQL, the apps, and a sandbox with an acquirer, card machines and a
restaurant. What you save is compiled, and the apps that load it are restarted. Ctrl-C stops all of it; rows and keys
stay in .data for the next start. With --types (\`pnpm turbo dev\`) all types are checked at once, not with the first save.

Settings (environment); docs/reference/configuration.md has all of them:
  DATABASE_URL        the owner's login of a PostgreSQL to use instead of the embedded one; several hosts with commas
  SEED                makes keys, ids and the restaurant reproducible (with an empty .data)
  DATA_DIR            where everything is kept; .data by default
  TLS                 true: every connection of the apps is encrypted, with certificates in DATA_DIR
  WATCH               false: what is saved is left alone
  OPEN_BROWSER        false: the page of the simulated restaurant is not opened
  EGRESS_ALLOW        host:port pairs that webhooks may go to besides the demo's receiver; EGRESS_CA_FILE vouches for them
  API_PORT, CARD_VAULT_PORT, WORKER_PORT, GATEWAY_PORT, EPOS_TESTER_PORT, SANDBOX_PORT, PORTAL_PORT,
  GATEWAY_GRPC_PORT, SANDBOX_GRPC_PORT, CARD_VAULT_GRPC_PORT, GATEWAY_INTERNAL_PORT, DEMO_RECEIVER_PORT
`;

if (process.argv.includes('--help')) {
  process.stdout.write(HELP);
} else {
  await start();
}

async function start(): Promise<void> {
  try {
    const requested = readWorldOptions(process.env);
    await runInForeground(requested, {
      onReady: ({ world, devJson, signal, say }) => {
        const shown = formatBanner(devJson, requested.dataDir);
        openInBrowser(devJson.urls.start, {
          env: process.env,
          platform: process.platform,
          isTerminal: process.stdout.isTTY,
        });
        if (!isWatching(process.env)) return shown;
        void followSources(world, { say, signal, isCheckedAtOnce: process.argv.includes('--types') });
        return `${shown}  Sources are watched: what you save is compiled, and the apps that load it are restarted.\n`;
      },
    });
  } catch (error) {
    process.stderr.write(`\n  Could not start. ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
