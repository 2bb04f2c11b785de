import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { VaultWorld } from './testing.js';

let world: VaultWorld;

beforeAll(async () => {
  world = await VaultWorld.open();
});
afterAll(() => world.close());

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** A vault in a process of its own, which kills itself at the point; resolves with its address. */
async function doomed(point: string) {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...world.env({ ACQUIRER_DEADLINE_MS: '5000' }), FAULT_POINT: point },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let said = '';
  for await (const part of child.stdout.setEncoding('utf8')) {
    said += String(part);
    const line = said.split('\n').find((each) => each.includes('process.started'));
    if (line === undefined) continue;
    const { url } = JSON.parse(line) as { url: string };
    return { at: { url, internalGrpc: '', close: () => Promise.resolve() }, ended };
  }
  throw new Error('the vault ended before it served');
}

test.each([
  ['before the acquirer was asked', 'after-attempt-before-call', [], 'Created Error', ['Erased none']],
  ['with an approval in hand', 'after-answer-before-commit', ['2000 Approved'], 'Captured Captured', ['Stored number']],
])('a vault that dies %s leaves one outcome', async (...row) => {
  const [, point, bookedAtOnce, standing, kept] = row;
  const payable = await world.payableByCustomer();
  const { at, ended } = await doomed(point);
  await expect(world.pay(payable, { savePaymentMethod: true }, { at })).rejects.toThrow();
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(await world.standing(payable)).toBe('Created');
  expect(await world.booked(payable)).toEqual(bookedAtOnce);
  // The payer's page tries again: nothing is asked of the acquirer a second time.
  expect((await world.pay(payable)).body['statusCode']).toBe(20);
  await world.elapse(20_000);
  await world.elapse(60_000);
  expect(await world.standing(payable)).toBe(standing);
  for (let look = 0; look < 1_000 && (await world.kept(payable))[0] !== kept[0]; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await world.kept(payable)).toEqual(kept);
  const calls = await world.look('select from acquirer_calls where intent_id = $1 and state <> $2', [
    payable.id,
    'Settled',
  ]);
  expect(calls).toEqual([]);
});
