import { describe, expect, test } from '@jest/globals';
import { EXITS } from '@pos/conformance/command';
import { findXmlViolation } from '@pos/conformance/testing';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { readFileSync, writeFileSync } from 'node:fs';
import { CLAUSES } from '../checks/clauses.js';
import { FLOWS } from '../flows/flows.js';
import { formatOutput, useTestCommand } from '../testing/command-runs.js';
import { testEvery } from '@pos/testing';

const runner = useTestCommand();

const failToOpen = () => Promise.reject(new Error('there is no room for a database'));

describe('the command prints', () => {
  test('the flows', async () => {
    const { exit, out } = await formatOutput(['flows'], { openTemporaryDatabase: failToOpen });
    expect(exit).toBe(EXITS.asExpected);
    expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual([...FLOWS.map(({ name }) => name), '']);
    expect(out).toMatch(/^lock-expiry +transport=auto timeoutSeconds=30 .*lockSeconds=60 waitSeconds=70$/m);
  });

  test('the clauses', async () => {
    const { exit, out } = await formatOutput(['clauses'], { openTemporaryDatabase: failToOpen });
    expect(exit).toBe(EXITS.asExpected);
    for (const [id, sentence] of Object.entries(CLAUSES))
      expect(out).toContain(`${id}\n    ${sentence}\n    Tested by `);
  });

  test('its usage', async () => {
    expect(await formatOutput(['--help'], { openTemporaryDatabase: failToOpen })).toMatchObject({
      exit: 0,
      out: /tester run --epos <address>/,
    });
  });
});

describe('the command exits', () => {
  testEvery(3)([
    ['nothing', [], /^tester: plays .+\n\n {2}tester run --epos <address>/],
    ['an unknown verb', ['dance'], /dance is not a command/],
    ['flows with an argument', ['flows', 'tip'], /flows tip is not a command/],
    ['a run without arguments', ['run'], /--epos is missing/],
    [
      'a run in which nothing can be played',
      ['run', '--epos', 'tables-ws', '--flow', 'tip'],
      /nothing can be played: It is/,
    ],
    [
      'a list that cannot be read',
      ['run', '--epos', 'ws', '--all', '--expected-failures', 'nowhere.txt'],
      /nowhere.txt cannot be read/,
    ],
    [
      'an authority that cannot be read',
      ['run', '--epos', 'ws', '--all', '--ca-file', 'nowhere.pem'],
      /--ca-file nowhere.pem cannot be read/,
    ],
    [
      'a report in place of a folder',
      ['run', '--epos', 'ws', '--all', '--junit', runner.file('.')],
      /--junit .+ cannot be written/,
    ],
    [
      'a report below a file',
      ['run', '--epos', 'ws', '--all', '--html', `${process.execPath}/out.html`],
      /--html .+ cannot be written/,
    ],
    [
      'a report in a folder that takes no files',
      ['run', '--epos', 'ws', '--all', '--json', '/proc/out.json'],
      /--json \/proc\/out.json cannot be written/,
    ],
    [
      'a report below a folder that takes no folders',
      ['run', '--epos', 'ws', '--all', '--junit', '/proc/reports/of/today/out.xml'],
      /--junit .+ cannot be written/,
    ],
  ])('with 2 for %s', async (_, words, message) => {
    const { exit, out, errors } = await formatOutput(words, { openTemporaryDatabase: failToOpen });
    expect({ exit, out }).toEqual({ exit: EXITS.usage, out: '' });
    expect(errors).toMatch(message);
  });

  test('without the password when the verb is missing', async () => {
    const { exit, errors } = await formatOutput(['--epos', 'http://till:secret@epos.example', '--all'], {
      openTemporaryDatabase: failToOpen,
    });
    expect({ exit, errors }).toEqual({
      exit: EXITS.usage,
      errors: '--epos http://epos.example --all is not a command of the tester\nSee tester --help.\n',
    });
  });

  test('with 2 when the list contains unknown names', async () => {
    writeFileSync(runner.file('list.txt'), 'tip\ntipp\n');
    const words = ['run', '--epos', 'ws', '--all', '--expected-failures', runner.file('list.txt')];
    expect((await formatOutput(words, { openTemporaryDatabase: failToOpen })).errors).toContain(
      'line 2: tipp is not the name of a flow',
    );
  });

  test('with 3 when it cannot start', async () => {
    const { exit, errors } = await formatOutput(['run', '--epos', runner.epos.url, '--all'], {
      openTemporaryDatabase: failToOpen,
    });
    expect({ exit, errors }).toEqual({
      exit: EXITS.notStarted,
      errors: 'The tester cannot continue: there is no room for a database\n',
    });
  });
});

describe('an EPOS that is called', () => {
  const flows = ['--flow', 'ListAreas', '--flow', 'SearchTables', '--flow', 'unknown-order'];
  const NOT_OFFERED = 'It needs what the EPOS does not offer: GetPartyById, UpdateParty.';

  test('is as expected when its failures are on the list, and every flow is reported, skipped ones with a reason', async () => {
    runner.epos.simulator.faults.replaceFaults([{ effect: 'internal-error', method: 'ListAreas' }]);
    writeFileSync(runner.file('list.txt'), 'rest ListAreas/data.result # until the next release\n');
    const offered = EPOS_CAPABILITIES.filter((each) => !NOT_OFFERED.includes(each)).join();
    const asked = [...flows, '--flow', 'party-lifecycle', '--capabilities', offered, ...runner.reports()];
    const listed = ['--expected-failures', runner.file('list.txt')];
    const { exit, out, errors } = await formatOutput(['run', '--epos', runner.epos.url, ...asked, ...listed]);
    expect({ exit, errors }).toEqual({ exit: EXITS.asExpected, errors: '' });
    expect(out).toMatch(
      /^rest +ListAreas: failed as expected \(\d+\.\d s\)\n {4}call: ListAreas: expected its result/m,
    );
    expect(out).toMatch(/^rest +SearchTables: passed/m);
    expect(out).toMatch(
      /2 passed, 1 failed as expected, 1 skipped \(the reports say why\); \d+ of \d+ clauses shown; \d+\.\d s\n$/,
    );
    const [junit, json, html] = ['out.xml', 'out.json', 'out.html'].map((name) =>
      readFileSync(runner.file(name), 'utf8'),
    );
    expect(findXmlViolation(junit!)).toBeNull();
    expect(JSON.parse(json!)).toMatchObject({ isAsExpected: true, counts: { passed: 2, 'failed as expected': 1 } });
    expect(html).toContain('<h1>Everything is as expected</h1>');
    for (const each of [junit, json, html]) expect(each).toContain(NOT_OFFERED);
    for (const each of [junit, json, html, out]) expect(each).not.toContain('secret');
  }, 60_000);

  test('is not as expected when something else fails, or an expected failure does not occur', async () => {
    runner.epos.simulator.faults.replaceFaults([{ effect: 'internal-error', method: 'SearchTables' }]);
    const words = ['run', '--epos', runner.epos.url, ...flows, '--expected-failures', runner.file('list.txt')];
    const { exit, out } = await formatOutput(words);
    expect(exit).toBe(EXITS.deviation);
    expect(out).toMatch(/^rest +SearchTables: failed/m);
    expect(out).toMatch(/^rest +ListAreas: passed unexpectedly/m);
  }, 60_000);
});
