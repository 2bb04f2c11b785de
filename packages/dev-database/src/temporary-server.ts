// A program: starts a PostgreSQL server, prints `{"url": "postgres://..."}`, and runs until its input closes. Then it
// stops the server and deletes its files. The argument is the prefix of the folder's name.
import { startPostgres } from './embedded-postgres.js';
import { createServerFolder } from './scratch-folder.js';
import { getMessage } from './server-folders.js';

const [prefix = 'postgres'] = process.argv.slice(2);
try {
  const dataDir = createServerFolder(`${prefix}-`);
  const server = await startPostgres({ dataDir, durable: false, afterExit: 'remove' });
  process.stdin.on('error', () => undefined);
  process.stdin.once('close', () => void server.remove());
  process.stdin.resume();
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
} catch (error) {
  process.stderr.write(`${getMessage(error)}\n`);
  process.exitCode = 1;
}
