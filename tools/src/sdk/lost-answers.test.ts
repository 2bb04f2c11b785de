import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PosClient, PosConnectionError } from '@pos/sdk';
import { DevJson, getDevJsonPath } from '../dev/dev-json.js';
import { startSecondWorld } from '../dev/testing.js';

const LIMIT_MS = 60_000;
const settings = startSecondWorld(20);

/** A network that loses answers: the service has worked each request, and the caller gets no word of it. */
class LossyNetwork {
  /** How many of the next answers are lost. */
  losses = 0;
  lost = 0;
  readonly #server: Server;

  constructor(private readonly target: { readonly host: string; readonly port: number }) {
    this.#server = createServer((caller) => {
      const service = connect(this.target);
      caller.pipe(service);
      service.on('data', (chunk: Buffer) => {
        if (this.losses === 0) {
          caller.write(chunk);
          return;
        }
        this.losses -= 1;
        this.lost += 1;
        caller.destroy();
        service.destroy();
      });
      for (const [socket, other] of [
        [caller, service],
        [service, caller],
      ] as const) {
        socket.on('error', () => other.destroy());
        socket.on('close', () => other.destroy());
      }
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }
}

describe('when answers are lost after the service has done its work', () => {
  let network: LossyNetwork;
  let client: PosClient;
  let single: PosClient;
  beforeAll(async () => {
    const dev = DevJson.parse(JSON.parse(readFileSync(getDevJsonPath(settings().DATA_DIR), 'utf8')));
    const { hostname: host, port } = new URL(dev.urls.api);
    network = new LossyNetwork({ host, port: Number(port) });
    const baseUrl = await network.open();
    const { otherApiKey: apiKey, softwareHouseId, resellerId } = dev;
    client = new PosClient({ baseUrl, apiKey, softwareHouseId, resellerId });
    single = new PosClient({ baseUrl, apiKey, softwareHouseId, resellerId, retriesMax: 0 });
  });
  afterAll(() => {
    network.close();
  });

  /** Runs a call whose first answers are lost. */
  async function lose<T>(answers: number, call: () => Promise<T>): Promise<T> {
    [network.losses, network.lost] = [answers, 0];
    const result = await call();
    expect(network.lost).toBe(answers);
    return result;
  }

  async function createPaid(): Promise<string> {
    const { id } = await client.paymentIntents.create({
      amount: { value: 1000, currencyCode: 'GBP' },
      reference: 'lost',
    });
    const machine = (await client.terminals.list()).find(({ properties }) => properties.tid === '90000001');
    await client.terminalSessions.create({
      terminalId: machine?.id ?? '',
      details: { sessionType: 'Sale', sale: { paymentIntentId: id } },
    });
    while ((await client.paymentIntents.read(id)).status !== 'Captured') {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return id;
  }

  test(
    'a payment exists once, and the caller gets it',
    async () => {
      const reference = crypto.randomUUID();
      const body = { amount: { value: 1250, currencyCode: 'GBP' }, reference };
      const { id } = await lose(2, () => client.paymentIntents.create(body));
      const found = [];
      for await (const intent of client.paymentIntents.searchAll({ statuses: ['Created'] })) {
        if (intent.reference === reference) found.push(intent.id);
      }
      expect(found).toEqual([id]);
    },
    LIMIT_MS,
  );

  test(
    'the payer gets a refund once',
    async () => {
      const id = await createPaid();
      const refund = await lose(2, () => client.paymentIntents.refund(id, { amount: 300, refundReason: 'cold' }));
      expect(refund.message).toBe('REFUNDED');
      expect((await client.paymentIntents.read(id)).refundedAmount).toBe(300);
    },
    LIMIT_MS,
  );

  test(
    'a program that ended without an answer repeats its own key, and the payer gets a refund once',
    async () => {
      const id = await createPaid();
      const call = (pos: PosClient) =>
        pos.paymentIntents.refund(id, { amount: 300, refundReason: 'cold' }, { idempotencyKey: `refund-of-${id}` });
      const failed = await lose(1, () => call(single).catch((error: unknown) => error));
      expect(failed).toBeInstanceOf(PosConnectionError);
      expect((await call(client)).message).toBe('REFUNDED');
      expect((await client.paymentIntents.read(id)).refundedAmount).toBe(300);
    },
    LIMIT_MS,
  );
});
