import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  forgetWorld,
  listLivingProcesses,
  buildOwnSettings,
  listTakenPorts,
  listProcesses,
  waitForReadyWorld,
  pollUntil,
  useTerminals,
} from '../dev/testing.js';
import { isPortTaken } from '@pos/dev-database';

const MINUTES = 60_000;
const open = useTerminals();
let settings: Record<string, string> & { DATA_DIR: string };

beforeAll(async () => {
  settings = await buildOwnSettings();
});

afterAll(async () => {
  await forgetWorld(settings.DATA_DIR);
}, 2 * MINUTES);

test(
  'a second world on the same folder is refused, and a killed one is taken over with its keys and rows',
  async () => {
    const first = open('dev/start.js', settings);
    const dev = await waitForReadyWorld(first, settings.DATA_DIR);
    const apps = listProcesses(settings.DATA_DIR);

    const second = open('dev/start.js', settings);
    expect(await second.end()).toBe(1);
    expect(second.output).toContain(`Process ${first.pid} runs this world already`);

    await first.end('SIGKILL');
    await pollUntil(() => listLivingProcesses(apps).length === 0, 'the apps outlive their launcher');
    await pollUntil(async () => !(await answers(dev.urls.database)), 'PostgreSQL outlives its launcher');

    const third = open('dev/start.js', settings);
    const again = await waitForReadyWorld(third, settings.DATA_DIR);
    expect(again.apiKey).toBe(dev.apiKey);
    expect(await third.end('SIGINT')).toBe(0);
    expect(await listTakenPorts(settings)).toEqual([]);
  },
  5 * MINUTES,
);

test(
  'Ctrl-C during the start stops the started processes',
  async () => {
    const terminal = open('dev/start.js', settings);
    await terminal.waitForOutput(/starting api/);
    expect(await terminal.end('SIGINT')).toBe(0);
    expect(terminal.output).not.toContain('Could not start');
    expect(await listTakenPorts(settings)).toEqual([]);
    expect(listProcesses(settings.DATA_DIR)).toEqual([]);
  },
  2 * MINUTES,
);

/** Whether a server listens at the address of the database. */
function answers(databaseUrl: string): Promise<boolean> {
  return isPortTaken(Number(new URL(databaseUrl).port));
}
