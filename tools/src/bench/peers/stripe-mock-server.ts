import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Serves stripe-stateful-mock on loopback; the command of the package listens on every address. Settings: PEER_FOLDER,
 * where the package is installed, and PORT.
 */
const require = createRequire(path.join(process.env['PEER_FOLDER'] ?? '', 'package.json'));
const mock = require('stripe-stateful-mock') as {
  createExpressApp(): { listen(port: number, host: string): Server };
};
(require('loglevel') as { setLevel(level: string): void }).setLevel('error');
mock.createExpressApp().listen(Number(process.env['PORT']), '127.0.0.1');
