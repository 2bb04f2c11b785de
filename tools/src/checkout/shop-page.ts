import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LOOPBACK } from '../dev/ports.js';
import { REPOSITORY } from '../repository/repository.js';

const BUNDLE = path.join(REPOSITORY, 'packages/sdk/dist/payment-component.min.js');
/** As strict as an integrator's policy can be: no inline script or style, no HTML from text. */
const buildPolicy = (hosts: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `connect-src ${hosts.join(' ')}`,
    `frame-src 'self' ${hosts.join(' ')}`,
    `form-action ${hosts.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** A page of an integrator on its own origin: a field for the result, and a place for the card fields. */
const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The shop</title>
<meta name="viewport" content="width=device-width"></head>
<body><main><h1>Your order</h1><div id="card-fields"></div><button id="pay">Buy</button><output></output></main>
<script type="module" src="/shop.js"></script></body></html>`;

/** The component keeps its frame in its own tree, which scripts of the page can reach. */
const POST_TO_FIELDS = `globalThis.postToFields = (message) => top.document.querySelector('pos-card-fields')
  .shadowRoot.querySelector('iframe').contentWindow.postMessage(message, '*');
`;

/** Records every message that the page receives, and offers the component to the tests. */
const SCRIPT = `import * as sdk from '/payment-component.js';
globalThis.received = [];
addEventListener('message', ({ data, origin }) => received.push({ origin, data: JSON.stringify(data) }));
globalThis.sdk = sdk;
globalThis.events = [];
const output = document.querySelector('output');
globalThis.mount = (config) => {
  globalThis.component = new sdk.PaymentComponent(
    { containerId: 'card-fields', ...config },
    (error) => events.push({ error }), () => events.push('submit'), (field) => events.push('blur ' + field));
};
document.getElementById('pay').addEventListener('click', async () => {
  output.textContent = JSON.stringify(await component.executePayment(globalThis.execution));
});
const createWallet = (name, answers, requests) => async ({ totalAmount: { value, currencyCode } }) => {
  requests.push(name + ' ' + value + ' ' + currencyCode);
  const answer = answers.shift();
  if (answer === 'fail') throw new Error('the wallet fails');
  return answer;
};
globalThis.start = ({ walletAnswers = {}, ...config }) => {
  const [states, requests] = [[], []];
  const wallets = Object.fromEntries(
    Object.entries(walletAnswers).map(([name, answers]) => [name, createWallet(name, answers, requests)]));
  const onState = ({ kind, notice }) => states.push(notice ?? kind);
  const running = sdk.startPaymentFlow({ onState, wallets, ...config });
  running.then((code) => (output.textContent = JSON.stringify({ code, states, wallets: requests })),
    (error) => (output.textContent = error.name + ': ' + error.message));
};
document.documentElement.dataset.ready = '';
${POST_TO_FIELDS}`;

const SIBLING = '<!doctype html><title>Another frame</title><script type="module" src="/sibling.js"></script>';

/** The web server of an integrator. */
export class ShopPage {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /** Serves the page on this port, or on a free one. The hosts are those that its policy allows. */
  static async open(hosts: readonly string[], port = 0): Promise<ShopPage> {
    const policy = buildPolicy(hosts);
    const server = createServer((request, response) => void answer(request, response, policy));
    await new Promise<void>((resolve) => server.listen(port, LOOPBACK, resolve));
    const { port: opened } = server.address() as AddressInfo;
    return new ShopPage(server, `http://${LOOPBACK}:${opened}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function answer({ url }: IncomingMessage, response: ServerResponse, policy: string): Promise<void> {
  const script = { 'content-type': 'text/javascript' };
  if (url === '/payment-component.js') response.writeHead(200, script).end(await readFile(BUNDLE));
  else if (url === '/shop.js') response.writeHead(200, script).end(SCRIPT);
  else if (url === '/sibling.js') response.writeHead(200, script).end(POST_TO_FIELDS);
  else if (url === '/sibling') response.writeHead(200, { 'content-type': 'text/html' }).end(SIBLING);
  else response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(PAGE);
}
