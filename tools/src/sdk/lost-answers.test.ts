import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PosClient, PosConnectionError } from '@pos/sdk';
import { DevJson, getDevJsonPath } from '../dev/dev-json.js';
import { startSecondWorld } from '../dev/testing.js';
import { REPOSITORY } from '../repository/repository.js';
import { CSHARP, isInstalled, LANGUAGE_CLIENTS, reportAbsence, runCSharp } from './language-clients.js';
import { listSamples, writeSample } from './language-samples.js';
import { LossyNetwork } from './lossy-network.js';

const LIMIT_MS = 60_000;
const settings = startSecondWorld(20);

// The programs of the READMEs need minutes where the machine compiles for many at once.
const PROGRAMS_MS_MAX = 240_000;
const scratch = mkdtempSync(path.join(tmpdir(), 'samples-'));
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

describe('when answers are lost after the service has done its work', () => {
  let network: LossyNetwork;
  let client: PosClient;
  let single: PosClient;
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const dev = DevJson.parse(JSON.parse(readFileSync(getDevJsonPath(settings().DATA_DIR), 'utf8')));
    const { hostname: host, port } = new URL(dev.urls.api);
    network = new LossyNetwork({ host, port: Number(port) });
    const baseUrl = await network.open();
    const { otherApiKey: apiKey, softwareHouseId, resellerId } = dev;
    environment = {
      ...{ POS_API_URL: baseUrl, POS_API_KEY: apiKey, POS_SOFTWARE_HOUSE: softwareHouseId, POS_RESELLER: resellerId },
      POS_SDK: path.join(REPOSITORY, 'sdks/php'),
    };
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

  test.each(LANGUAGE_CLIENTS.map((language) => [language.name, language] as const))(
    'the programs of the README of %s do what it promises, and their payment exists once',
    async (name, language) => {
      if (!isInstalled(language)) {
        reportAbsence(name);
        return;
      }
      const own = path.join(scratch, language.folder);
      for (const [index, sample] of listSamples(language.folder).entries()) {
        const file = writeSample(own, sample);
        // The first program is the quickstart. The answer that it loses is that of the new payment.
        const output = await lose(index === 0 ? 1 : 0, () => language.run({ file, scratch: own, environment }, []));
        expect([sample.name, output]).toEqual([sample.name, sample.output]);
      }
      const found = [];
      for await (const intent of client.paymentIntents.searchAll({})) {
        if (intent.reference === `quickstart in ${name}`) found.push([intent.status, intent.refundedAmount]);
      }
      expect(found).toEqual([['Captured', 250]]);
    },
    PROGRAMS_MS_MAX,
  );
});

test(
  'the program of the README of C# does what it promises',
  async () => {
    if (!isInstalled(CSHARP)) {
      reportAbsence(CSHARP.name);
      return;
    }
    for (const sample of listSamples('csharp')) {
      const file = writeSample(path.join(scratch, 'csharp'), sample);
      expect(await runCSharp(file, path.join(scratch, 'csharp'), '')).toBe(sample.output);
    }
  },
  PROGRAMS_MS_MAX,
);
