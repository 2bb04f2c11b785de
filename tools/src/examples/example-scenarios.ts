import { expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AccountId, Scope } from '@pos/core/identity';
import { DINING_TABLE_OPERATIONS, PARTY_OPERATIONS, RESERVATION_OPERATIONS } from '@pos/rest-contracts/bookings';
import { CARD_VAULT_OPERATIONS } from '@pos/rest-contracts/card-vault';
import { IDS, OPERATION_EXAMPLES, type OperationExample } from '@pos/rest-contracts/examples';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import type { Operation } from '@pos/rest-contracts/operation';
import { TESTER_OPERATIONS } from '@pos/rest-contracts/operators';
import type { Database } from '@pos/store/database';
import { openDatabase } from '@pos/store/startup';
import { DevJson, getDevJsonPath } from '../dev/dev-json.js';
import { loadDevSecrets } from '../dev/secrets.js';
import { readPage, replaceSection } from '../docs/page-blocks.js';
import { REPOSITORY } from '../repository/repository.js';
import { EventRecorder } from './event-recorder.js';
import { listUseCases, type PlayedStep, renderUseCases, renderUseCaseSource } from './event-use-cases.js';
import { ExampleNames } from './example-match.js';
import { ExamplePlayer, type ExampleServer } from './example-player.js';
import { createOperatorCases } from './operator-cases.js';

const MINUTES = 60_000;
const OPERATIONS: readonly Operation[] = [...API_OPERATIONS, ...CARD_VAULT_OPERATIONS, ...TESTER_OPERATIONS];

/** Advances the clock of the account so far that every attempt of a delivery was made. */
const WEEK = { by: '6.00:00:00' };

type WorldSettings = Readonly<Record<string, string>> & { readonly DATA_DIR: string };

/** What was played, and the real ids of the example's ids. */
interface PlayResult {
  readonly steps: readonly PlayedStep[];
  readonly realIds: ReadonlyMap<string, string>;
  /** The differences between the answers and the examples. */
  readonly failed: readonly string[];
}

/** The examples of the documents, played in a running world. Call it in the file of tests that has started the world. */
export function describeExamples(settings: () => WorldSettings): void {
  let playing: Promise<PlayResult> | undefined;
  // Once, also when a test is repeated: a second play would find what the first has left.
  const play = (): Promise<PlayResult> => (playing ??= playExamples(settings()));

  test(
    'every example of the documents succeeds, or is refused, as it is written',
    async () => {
      expect((await play()).failed).toEqual([]);
    },
    4 * MINUTES,
  );

  test(
    'docs/integrate/webhook-events.md shows the events of the payments that were played',
    async () => {
      const { steps, realIds } = await play();
      const page = 'docs/integrate/webhook-events.md';
      const wanted = replaceSection(readPage(page), 'use cases', renderUseCases(listUseCases(steps, realIds)));
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
      expect(readPage(page)).toBe(wanted);
    },
    4 * MINUTES,
  );

  test(
    'the contract has the same events as data',
    async () => {
      const { steps, realIds } = await play();
      const file = path.join(REPOSITORY, 'packages/rest-contracts/src/webhooks/event-use-cases.ts');
      const wanted = renderUseCaseSource(listUseCases(steps, realIds));
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, wanted);
      expect(readFileSync(file, 'utf8')).toBe(wanted);
    },
    4 * MINUTES,
  );
}

async function playExamples(settings: WorldSettings): Promise<PlayResult> {
  const world = DevJson.parse(JSON.parse(readFileSync(getDevJsonPath(settings.DATA_DIR), 'utf8')));
  const [first] = world.restaurants;
  if (first === undefined) throw new Error('the world has no restaurant');
  const scope: Scope = { accountId: first.accountId as AccountId, environment: 'sandbox' };
  const database = await openWorldDatabase(world, settings);
  // The port of the demo, which does not run: every delivery fails at once.
  const receiver = `https://127.0.0.1:${settings['DEMO_RECEIVER_PORT'] ?? ''}/webhooks`;
  const players = new Map(
    world.restaurants.map(({ apiKey, tradingName }) => [
      apiKey,
      new ExamplePlayer(
        new ExampleNames({ 'The Corner Table': tradingName, 'https://example.com/webhooks': receiver }),
      ),
    ]),
  );
  const before: Readonly<Record<string, () => Promise<void>>> = {
    'listAlarms success': () => createOperatorCases(database, scope),
    'listDeliveries success': () => advanceClock(world),
  };
  const [steps, failed]: [PlayedStep[], string[]] = [[], []];
  const recorder = new EventRecorder(database, scope);
  for (const example of OPERATION_EXAMPLES) {
    const operation = OPERATIONS.find(({ id }) => id === example.operationId);
    if (operation === undefined) throw new Error(`there is no operation ${example.operationId}`);
    await before[`${example.operationId} ${example.name}`]?.();
    const server = findServer(world, example);
    const player = players.get(server.playedFor) ?? fail('the world has no such restaurant');
    const differences = await player.play(operation, example, server);
    steps.push({ example, operation, events: await recorder.takeEvents() });
    failed.push(...differences.map((difference) => `${example.operationId} ${example.name} ${difference}`));
  }
  await database.close();
  const names = players.get(world.apiKey)?.names;
  const realIds = new Map(Object.values(IDS).map((id) => [id, String(names?.toReal(id))]));
  return { steps, realIds, failed };
}

async function advanceClock(world: DevJson): Promise<void> {
  const url = `${world.urls.api}/sandbox/clock/advance`;
  const headers = { authorization: `Basic ${world.apiKey}`, 'content-type': 'application/json' };
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(WEEK) });
  expect(status).toBe(200);
}

/** What is about an order, and the calls that it causes. */
const OF_ORDERS: ReadonlySet<string> = new Set([
  'submitOrder',
  'getOrderPlacement',
  'listOrderPlacements',
  'listEposCalls',
]);

const BOOKING_OPERATIONS: readonly Operation[] = [
  ...RESERVATION_OPERATIONS,
  ...PARTY_OPERATIONS,
  ...DINING_TABLE_OPERATIONS,
];

/** Where an example is played, and for which restaurant: orders and bookings need an EPOS that creates them. */
function findServer(world: DevJson, { operationId, name }: OperationExample): ExampleServer & { playedFor: string } {
  const { resellerId, softwareHouseId, urls } = world;
  const partner = { resellerId, softwareHouseId };
  const ofOrders = world.restaurants.find(({ way }) => way === 'rest') ?? fail('no EPOS is called over REST');
  const isBooking = BOOKING_OPERATIONS.some(({ id }) => id === operationId);
  const isOrder = name === 'order' || OF_ORDERS.has(operationId) || isBooking;
  const apiKey = isOrder ? ofOrders.apiKey : world.apiKey;
  const base = { ...partner, apiKey, playedFor: apiKey };
  if (TESTER_OPERATIONS.some(({ id }) => id === operationId)) return { ...base, baseUrl: urls.eposTester };
  if (CARD_VAULT_OPERATIONS.some(({ id }) => id === operationId)) {
    return { ...base, baseUrl: urls.cardVault, apiKey: world.pciApiKey };
  }
  return { ...base, baseUrl: urls.api };
}

function fail(reason: string): never {
  throw new Error(reason);
}

async function openWorldDatabase({ urls }: DevJson, settings: WorldSettings): Promise<Database> {
  const file = path.join(settings.DATA_DIR, 'secrets.json');
  const { encryptionKey, keyPepper: pepper } = await loadDevSecrets(file, undefined);
  const secrets = { encryptionKey: Buffer.from(encryptionKey, 'base64'), pepper };
  return openDatabase({ url: urls.database, applicationName: 'examples', secrets });
}
