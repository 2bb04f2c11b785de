import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ChannelCredentials } from '@grpc/grpc-js';
import { openClient } from '@pos/rest-contracts/client';
import { listTerminals } from '@pos/rest-contracts/accounts';
import { chooseChannelCredentials } from '@pos/service-kit/grpc';
import { openTlsFiles } from '@pos/service-kit/network';
import { devCertificates } from '../dev/certificates.js';
import { DevJson, getDevJsonPath } from '../dev/dev-json.js';
import { readWorldOptions } from '../dev/dev-settings.js';
import { createWorldFetch } from '../dev/world-tls.js';
import { DEFAULT_PORTS } from '../dev/ports.js';
import { TableDevice } from './table-device.js';
import { payTableInTwoParts } from './table-scenario.js';
import { WebhookListener } from './webhook-listener.js';

// `npm run demo`, beside a running `npm start`, plays the main scenario of the service. It exits with 0 only if every
// step succeeds.

/** The machines that approve cards without a decision of staff. */
const MACHINES = ['90000001', '90000002'];

const listener = new WebhookListener();
try {
  await runDemo();
} catch (error) {
  process.stderr.write(`\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await listener.close();
}

async function runDemo(): Promise<void> {
  const { dataDir, ports } = readWorldOptions(process.env);
  const dev = await readDevJson(dataDir);
  const { key, cert } = await devCertificates(path.join(dataDir, 'certificates'));
  const port = (typeof ports === 'object' ? ports.receiver : undefined) ?? DEFAULT_PORTS.receiver.port;
  const url = await listener.open({ port, key, cert });
  const send = createWorldFetch(dev.tls);
  const { apiKey, accountId } = await subscribe(dev, { url, send, wanted: process.argv[2] });
  printLine(`Webhooks go to ${url} and are signed.`);

  const { resellerId, softwareHouseId } = dev;
  const api = openClient({ baseUrl: dev.urls.api, apiKey, resellerId, softwareHouseId, fetch: send });
  const terminals = await api(listTerminals, { query: { statuses: ['Available'] } });
  const machine = MACHINES.map((tid) => terminals.find((terminal) => terminal.properties.tid === tid)).find(
    (each) => each !== undefined,
  );
  if (machine === undefined) throw new Error(`neither of the machines ${MACHINES.join(' and ')} is free`);
  const address = dev.urls.gatewayGrpc;
  const credentials = chooseDeviceCredentials(address, dev.tls);
  const device = new TableDevice({ address, credentials, apiKey, tid: machine.properties.tid });
  const sandbox = openClient({ baseUrl: dev.urls.sandbox, apiKey: null, fetch: send });
  try {
    await payTableInTwoParts({
      device,
      tid: machine.properties.tid,
      api,
      sandbox,
      accountId,
      service: listener,
      printLine,
    });
  } finally {
    device.close();
  }
  if (listener.forgeries.length > 0)
    throw new Error(`something else came as a webhook: ${listener.forgeries.join('; ')}`);
  printLine('Every step held, and every webhook had a good signature.');
}

/**
 * The requested restaurant, or the first whose events are available: each kind of event belongs to one subscription of
 * an account.
 */
async function subscribe(
  { restaurants, urls }: DevJson,
  { url, send, wanted }: { readonly url: string; readonly send: typeof fetch; readonly wanted: string | undefined },
): Promise<{ apiKey: string; accountId: string }> {
  const chosen = restaurants.filter(({ name, way }) => wanted === undefined || wanted === name || wanted === way);
  const names = restaurants.map(({ name, way }) => `${name} (${way})`).join(', ');
  if (chosen.length === 0) throw new Error(`there is no restaurant ${wanted}, only ${names}.`);
  for (const { apiKey, tradingName, wayInWords } of chosen) {
    const subscription = await listener.subscribe(openClient({ baseUrl: urls.api, apiKey, fetch: send }), url);
    if (subscription === null) continue;
    printLine(`This is ${tradingName}: ${wayInWords}.`);
    return { apiKey, accountId: subscription.accountId };
  }
  throw new Error('these accounts have subscriptions of their own to the events that the demo waits for');
}

/** The demo is a short run, so it does not follow changes of its certificate. */
function chooseDeviceCredentials(address: string, files: DevJson['tls']): ChannelCredentials {
  const log = { info: () => undefined, warn: () => undefined };
  const tls = files === null ? null : openTlsFiles({ cert: 'cert', key: 'key', ca: 'ca' }, files, { log });
  return chooseChannelCredentials({
    ...{ address, addressSetting: 'gatewayGrpc', tls, tlsSetting: 'tls', isEncryptedElsewhere: false },
  });
}

async function readDevJson(dataDir: string): Promise<DevJson> {
  const text = await readFile(getDevJsonPath(dataDir), 'utf8').catch(() => null);
  if (text === null)
    throw new Error('nothing is running here; run npm start in another terminal and wait until it is ready.');
  return DevJson.parse(JSON.parse(text));
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
