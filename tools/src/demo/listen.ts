import { createServer } from 'node:https';
import path from 'node:path';
import { devCertificates } from '../dev/certificates.js';
import { readWorldOptions } from '../dev/dev-settings.js';
import { DEFAULT_PORTS, LOOPBACK } from '../dev/ports.js';

// `node tools/dist/demo/listen.js N`, beside a running `npm start`, receives N webhooks and prints each as a line of
// JSON, with its headers and its unchanged body. It verifies no signatures, which is left to the reader. Other paths
// are 404: subscriptions of an earlier demo send their deliveries to the same port.

const wanted = Number(process.argv[2] ?? '1');
const { dataDir, ports } = readWorldOptions(process.env);
const { key, cert } = await devCertificates(path.join(dataDir, 'certificates'));
let taken = 0;
const server = createServer({ key, cert }, (request, response) => {
  if (request.url !== '/hooks') {
    request.resume();
    response.writeHead(404).end();
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { headers } = request;
    process.stdout.write(`${JSON.stringify({ headers, body: Buffer.concat(parts).toString('utf8') })}\n`);
    response.writeHead(204).end();
    taken += 1;
    if (taken < wanted) return;
    server.close();
    server.closeIdleConnections();
  });
});
server.keepAliveTimeout = 1;
server.listen((typeof ports === 'object' ? ports.receiver : undefined) ?? DEFAULT_PORTS.receiver.port, LOOPBACK);
