import { expect, test } from '@jest/globals';
import { RunningCommand } from '../cli/running-command.js';
import { MachinePerson, VISA } from './machine-person.js';
import type { TestRestaurant } from './test-restaurant.js';

const MINUTE = 60_000;
/** Ends after one accepted delivery. */
const LISTEN = 'listen --events payment_intent.status_updated --count 1 --delete --json';
const ACTIONS_MAX = 3;

/** The first payment of an integrator who has just started the service: a card at a machine, and its webhook. */
export function testNewcomer(restaurant: () => TestRestaurant): void {
  test(
    'a newcomer starts to listen, takes a card payment and receives its verified webhook, in three actions',
    async () => {
      const { page, report } = await restaurant().openScreen('/');
      const person = new MachinePerson(page);
      const begin = performance.now();
      const listener = new RunningCommand(LISTEN, restaurant().commandSettings);
      const actions = [
        () => listener.untilSays(/"ready"/),
        () => page.getByRole('link', { name: 'Take a card payment' }).click(),
        () => person.presentCard(VISA),
      ];
      for (const act of actions) await act();
      await person.waitForScreen('Paid');
      await person.waitForStatus('Captured');
      expect(await listener.end()).toBe(0);
      const received = listener.output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as object]));
      expect(received).toContainEqual(
        expect.objectContaining({
          ...{ event: 'payment_intent.status_updated', isAccepted: true },
          data: expect.objectContaining({ paymentStatus: 'Captured' }),
        }),
      );
      expect(received.at(-1)).toEqual({ accepted: 1, failed: 0, refused: 0, waiting: 0 });
      process.stdout.write(
        `A newcomer needed ${Math.round(performance.now() - begin)} ms for the payment and its webhook.\n`,
      );
      expect(actions.length).toBeLessThanOrEqual(ACTIONS_MAX);
      expect(await restaurant().findMismatches()).toEqual([]);
      expect(report).toEqual({ errors: [], foreignRequests: [] });
    },
    MINUTE,
  );
}
