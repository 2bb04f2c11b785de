import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { AdapterEnvironment, findFreePort } from './testing/adapter-environment.js';

let environment: AdapterEnvironment;

beforeAll(async () => {
  environment = await AdapterEnvironment.open();
}, 60_000);

afterAll(() => environment.close());

describe('the page about the tester', () => {
  const page = new URL('../../../docs/operate/acquirer-tester.md', import.meta.url);
  const [start = '', faults = ''] = [...readFileSync(page, 'utf8').matchAll(/^```bash\n(.*?)^```$/gms)]
    .map(([, block = '']) => block)
    .filter((block) => /dist\/main\.js|curl/.test(block));

  test('has commands that start the adapter and its processor, test it and switch faults', async () => {
    const ports = { 3010: await findFreePort(), 3011: await findFreePort(), 50055: await findFreePort() };
    const script = Object.entries(ports).reduce(
      (text, [port, free]) => text.replaceAll(port, String(free)),
      // The faults are switched before the processes are stopped; a few flows show that the commands work.
      start.replace('kill %1', `${faults}kill %1`).replace('--all', '--flow authorise-hold,capture-full,late-approval'),
    );
    const { code, output } = await environment.runScript(script);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    expect(output).toContain('3 passed; ');
  }, 60_000);
});
