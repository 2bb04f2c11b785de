import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

test('SIGTERM ends a migration that waits for its database', async () => {
  // It accepts connections and answers nothing.
  const database = createServer().listen(0, '127.0.0.1');
  await once(database, 'listening');
  const { port } = database.address() as AddressInfo;
  const child = spawn(process.execPath, ['bundle/main.js', 'migrate', '--reason', 'a test'], {
    stdio: 'ignore',
    env: { NODE_ENV: 'test', DATABASE_OWNER_URL: `postgres://owner:secret@127.0.0.1:${port}/pos` },
  });
  const [connection] = (await once(database, 'connection')) as [Socket];
  child.kill('SIGTERM');
  // An exit code, and not the signal: the kernel would not end the first process of a container by a signal.
  expect(await once(child, 'exit')).toEqual([143, null]);
  // It does not end by itself, because nobody reads from it.
  connection.destroy();
  database.close();
});
