import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { LOOPBACK } from '../dev/ports.js';
import { describeCommandLine } from '../cli/command-line-scenarios.js';
import { TestTerminal, startSecondWorld } from '../dev/testing.js';
import { REPOSITORY } from '../repository/repository.js';
import { formatShape, listPlayedBlocks, PAGES, PAGES_PROVEN_ELSEWHERE } from './page-blocks.js';

const MINUTES = 60_000;
const SCRIPT_MS_MAX = 60_000;
/** Between the outputs of two blocks. */
const MARK = '=== end of block ===';

/** One world for all that needs a running one: the commands of the pages, the demo, and `pos`. */
const settings = startSecondWorld(10);

/** All pages are repeated, as readers do. */
const TIMES = ['once', 'again'];

test.each(PAGES.filter((page) => !PAGES_PROVEN_ELSEWHERE.includes(page) && listPlayedBlocks(page).length > 0))(
  'the commands of %s work as written, and print the output of the page',
  async (page) => {
    const blocks = listPlayedBlocks(page);
    const script = blocks.map(({ commands }) => `${commands}\nprintf '\\n%s\\n' '${MARK}'`).join('\n');
    const shown = blocks.map(({ line, output }) => `${page}:${line} ${formatShape(output ?? '')}`);
    for (const time of TIMES) {
      const output = await bash(script.replaceAll('./.data/', `${settings().DATA_DIR}/`), settings());
      const outputs = output.split(MARK).slice(0, -1);
      const found = outputs.map((each, index) => `${page}:${blocks[index]?.line} ${formatShape(each)}`);
      expect([time, ...found]).toEqual([time, ...shown]);
    }
  },
  3 * MINUTES,
);

describe('npm run demo', () => {
  test(
    'the demo plays the payment of a table in two parts, and can be repeated',
    async () => {
      for (const time of ['the first time', 'the second time']) {
        const demo = new TestTerminal('demo/demo.js', settings());
        expect([time, await demo.end(), demo.output]).toEqual([time, 0, expect.stringContaining('Every step held')]);
        expect(demo.output.match(/webhook +payment_intent\.status_updated +Captured/g)).toHaveLength(2);
        expect(demo.output.match(/It is on the bill\./g)).toHaveLength(2);
      }
    },
    3 * MINUTES,
  );

  test(
    'the demo stops at the first step that fails',
    async () => {
      const eposDown = { faults: [{ method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }] };
      const sandbox = `http://${LOOPBACK}:${settings()['SANDBOX_PORT']}`;
      const { accounts } = (await (await fetch(`${sandbox}/accounts`)).json()) as { accounts: { accountId: string }[] };
      const faults = accounts.map(({ accountId }) => `${sandbox}/epos/${accountId}/faults`);
      const headers = { 'content-type': 'application/json' };
      for (const url of faults) await fetch(url, { method: 'PUT', headers, body: JSON.stringify(eposDown) });
      const demo = new TestTerminal('demo/demo.js', settings());
      expect(await demo.end()).toBe(1);
      expect(demo.output).toMatch(/The demo stopped: the payment is not on the bill: given back/);
      expect(demo.output).not.toContain('Every step held');
      for (const url of faults) await fetch(url, { method: 'DELETE' });
    },
    2 * MINUTES,
  );

  test('for an unknown restaurant the demo lists the existing ones', async () => {
    const demo = new TestTerminal('demo/demo.js nowhere', settings());
    expect(await demo.end()).toBe(1);
    expect(demo.output).toMatch(
      /there is no restaurant nowhere, only oyster-shed \(grpc-stream\), .*garden-room \(tables-ws\)/,
    );
  });

  test('the demo reports that its receiver has no port', async () => {
    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(Number(settings()['DEMO_RECEIVER_PORT']), LOOPBACK, resolve));
    const demo = new TestTerminal('demo/demo.js', settings());
    expect(await demo.end()).toBe(1);
    expect(demo.output).toContain('set DEMO_RECEIVER_PORT');
    await new Promise((resolve) => stranger.close(resolve));
  });

  test('without a running world the demo prints how to start one', async () => {
    const demo = new TestTerminal('demo/demo.js', { ...settings(), DATA_DIR: `${settings().DATA_DIR}-nowhere` });
    expect(await demo.end()).toBe(1);
    expect(demo.output).toContain('run npm start in another terminal');
  });
});

describe('the command of integrators', () => {
  describeCommandLine(settings);
});

function bash(script: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-s'], {
    cwd: REPOSITORY,
    env: { ...process.env, ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
    // Its own process group: after the timeout, the children of the script end with it.
    detached: true,
  });
  const timer = setTimeout(() => {
    endGroup(child.pid ?? 0);
  }, SCRIPT_MS_MAX);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(script);
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      endGroup(child.pid ?? 0);
      if (code === 0) resolve(output);
      else reject(new Error(`bash ended with ${code}: ${output}`));
    });
  });
}

/** Ends the processes that a script has left running. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
