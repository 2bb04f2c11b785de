import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type AcquirerPort,
  type CapabilitiesAnswer,
  type Capability,
  COMPLETE_CAPABILITIES,
  mapCapabilities,
} from '@pos/core/acquirer';
import { listDeclaredAcquirers, storeDeclaration } from '@pos/store/repositories';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing';
import { type AcquirerName, AcquirerDirectory } from '../accounts/acquirer-directory.js';
import { CapabilityRefresher } from './capability-refresher.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const without = (lacking: Capability) => ({
  ...COMPLETE_CAPABILITIES,
  can: mapCapabilities((name) => name !== lacking),
});
const sandbox = (name: string): AcquirerName => ({ environment: 'sandbox', name });

/** A process with these acquirers; each answers what `answers` holds for it, and nothing without an entry. */
function startProcess(names: readonly string[], answers: Record<string, CapabilitiesAnswer> = {}) {
  const directory = new AcquirerDirectory(names.map(sandbox));
  const find = (_: string, name: string) => {
    const answer = answers[name] ?? { outcome: 'unknown', reason: 'unavailable' };
    return { getCapabilities: () => Promise.resolve(answer) } as unknown as AcquirerPort;
  };
  const report = { onChanged: () => undefined, onUnanswered: () => undefined };
  const refresher = new CapabilityRefresher({ database: testDatabase.database, directory, ports: { find }, report });
  return { directory, refresher };
}

test('an acquirer keeps its newest declaration although an older row is stored while another one is queried', async () => {
  const { directory, refresher } = startProcess(['east', 'silent']);
  await storeDeclaration(testDatabase.database, { ...sandbox('east'), capabilities: COMPLETE_CAPABILITIES });
  directory.declare(sandbox('east'), without('partial_refund'));
  await refresher.load();
  expect(directory.findCapabilities('sandbox', 'east')?.can.partial_refund).toBe(false);
  expect(directory.listUndeclared()).toEqual([sandbox('silent')]);
});

test('a started process reads the stored declarations of its own acquirers, and asks only the others', async () => {
  await storeDeclaration(testDatabase.database, { ...sandbox('west'), capabilities: without('multiple_captures') });
  const declared = { outcome: 'declared', capabilities: without('challenge') } as const;
  const { directory, refresher } = startProcess(['west', 'new'], { west: declared, new: declared });
  await refresher.load();
  expect(directory.findCapabilities('sandbox', 'west')?.can.multiple_captures).toBe(false);
  expect(directory.findCapabilities('sandbox', 'new')?.can.challenge).toBe(false);
  const stored = await testDatabase.database.readSystem(listDeclaredAcquirers);
  expect(stored.find(({ name }) => name === 'new')?.capabilities.can.challenge).toBe(false);
});
