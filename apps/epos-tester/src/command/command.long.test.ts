import { describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { waitUntil } from '../testing/tester-environment.js';
import { EXITS } from '@pos/conformance/command';
import { PartnerEpos, formatOutput, useTestCommand } from '../testing/command-runs.js';

// Each of these starts its own database and gateway.

const service = useTestCommand();

describe('an EPOS that is called', () => {
  test.each([
    ['in the middle', ['--flow', 'tip', '--flow', 'read-while-locked'], { failed: 1, skipped: 1 }],
    ['in the last flow, whose failure is expected', ['--flow', 'tip'], { 'failed as expected': 1, skipped: 0 }],
  ])(
    'has no lock left when the command is stopped %s, and the played flows are reported',
    async (_, asked, counts) => {
      writeFileSync(service.file('list.txt'), 'failed' in counts ? '' : 'tip\n');
      service.epos.simulator.faults.replaceFaults([{ effect: 'slow', method: 'GetOrderById', delayMs: 1_000 }]);
      const stop = new AbortController();
      const more = [...service.reports(), '--expected-failures', service.file('list.txt')];
      const running = formatOutput(['run', '--epos', service.epos.url, ...asked, ...more], { stop: stop.signal });
      await waitUntil(() => service.epos.simulator.epos.locks.listLocks().length > 0);
      stop.abort();
      const { out, exit, errors } = await running;
      expect(out).toMatch(/^rest +tip: failed/m);
      expect(errors).toContain('The tester was stopped');
      expect(exit).toBe(EXITS.notStarted);
      expect(service.epos.simulator.epos.locks.listLocks()).toEqual([]);
      expect(JSON.parse(readFileSync(service.file('out.json'), 'utf8'))).toMatchObject({ isAsExpected: false, counts });
    },
    60_000,
  );

  test('does not get reports that were not requested', async () => {
    service.epos.simulator.faults.replaceFaults([]);
    const { out } = await formatOutput(['run', '--epos', service.epos.url, '--flow', 'ListAreas,tables-lock-rules']);
    expect(out).toMatch(/1 passed, 1 skipped; /);
  }, 60_000);
});

test.each([
  ['on this machine', '127.0.0.1'],
  ['from another machine', '0.0.0.0'],
])(
  'for an EPOS that dials in %s the address is printed, and one that does not connect fails',
  async (_, host) => {
    const opened: Promise<PartnerEpos>[] = [];
    const dialIn = (text: string): void => {
      const [, url, both] =
        /\(tables-ws\) at (ws:.*)\/ws\/v1\/tables\/epos with authorization: Basic (\S+),/.exec(text) ?? [];
      if (url === undefined || both === undefined) return;
      const [name = '', key = ''] = Buffer.from(both, 'base64').toString().split(':');
      // The machine's own name may not resolve to it.
      const at = url.replace(hostname(), '127.0.0.1');
      opened.push(PartnerEpos.open({ gateway: { url: at, name, key }, epos: { sockets: ['tables-ws'] } }));
    };
    const words = ['run', '--epos', 'tables-ws', '--epos', 'ws', '--wait-seconds', '3', '--host', host];
    const { exit, out } = await formatOutput([...words, '--flow', 'ListTables,ListAreas'], { onWrite: dialIn });
    for (const each of await Promise.all(opened)) each.close();
    expect(out).toMatch(/^tables-ws +ListTables: passed/m);
    expect(out).toMatch(/^ws +ListAreas: failed .*\n {4}registered: transport: expected a socket at \/epos/m);
    expect(exit).toBe(EXITS.deviation);
  },
  60_000,
);
