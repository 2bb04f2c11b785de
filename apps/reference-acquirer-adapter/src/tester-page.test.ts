import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { findFreePorts } from '@pos/dev-database';
import { AdapterEnvironment } from './testing/adapter-environment.js';

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
    const [http = 0, health = 0, grpc = 0] = await findFreePorts(3);
    const ports: Readonly<Record<string, number>> = { 3010: http, 3011: health, 50055: grpc };
    // The faults are switched before the processes are stopped; a few flows show that the commands work.
    const script = start
      .replace('kill %1', `${faults}kill %1`)
      .replace('--all', '--flow authorise-hold,capture-full,late-approval')
      .replaceAll(/\b(?:3010|3011|50055)\b/g, (port) => String(ports[port]));
    const { code, output } = await environment.runScript(script);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    expect(output).toContain('3 passed; ');
  }, 60_000);
});
