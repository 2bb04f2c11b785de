import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Loaded into an app by `--import` where stalls are measured, and nowhere else. On its own socket it reports how long
// the event loop was blocked since the last request. `stall-meter.ts` sends the requests.

const RESOLUTION_MS = 1;
/** After this delay the loop has run its timers, so that a stall before the request is counted, too. */
const SETTLED_MS = 3;

const folder = process.env['STALL_WATCH_DIR'];
if (folder !== undefined && isMainThread) watchStalls(path.join(folder, `${process.pid}.sock`));

function watchStalls(address: string): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let before = process.cpuUsage();
  const begin = (): void => {
    delays.reset();
    before = process.cpuUsage();
  };
  const publish = (socket: Socket): void => {
    const { user, system } = process.cpuUsage(before);
    const message = { delayMs: delays.max / 1e6, cpuMs: (user + system) / 1e3, rssBytes: process.memoryUsage.rss() };
    socket.write(`${JSON.stringify(message)}\n`);
    begin();
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (asked) => {
      if (asked.toString() === 'rest\n') collect();
      setTimeout(publish, SETTLED_MS, socket);
    });
    socket.unref();
  });
  server.listen(address).unref();
  process.once('exit', () => {
    rmSync(address, { force: true });
  });
}
