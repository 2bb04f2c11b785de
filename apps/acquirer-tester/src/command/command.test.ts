import { describe, expect, test } from '@jest/globals';
import { EXITS } from '@pos/conformance/command';
import type { Report } from '@pos/conformance/testing';
import { readFileSync, writeFileSync } from 'node:fs';
import { CLAUSES } from '../clauses/clauses.js';
import { FLOWS } from '../flows/flows.js';
import { UNDECLARED_FLOWS } from '../flows/undeclared.js';
import { SANDBOX_PROFILE } from '../profile/sandbox-profile.js';
import { openSandboxAcquirer } from '../sandbox/sandbox-acquirer.js';
import { runForOutput } from '../testing/command-runs.js';
import { useTestAdapter } from '../testing/test-adapter.js';

const adapter = useTestAdapter();

test('a flow without data in the profile is not tested, and the run does not certify', async () => {
  const cards = { ...SANDBOX_PROFILE.cards, approvesLate: null, challenges: null };
  const profile = { ...SANDBOX_PROFILE, cards, currencies: ['GBP'], challengeAnswers: null };
  writeFileSync(adapter.file('poor.json'), JSON.stringify(profile));
  const run = [
    'run',
    '--acquirer',
    `grpc://${adapter.acquirer.address}`,
    '--profile',
    adapter.file('poor.json'),
    '--all',
  ];
  const { credential } = adapter.acquirer;
  const { exit } = await runForOutput([...run, '--json', adapter.file('poor-out.json')], { credential });
  const report = JSON.parse(readFileSync(adapter.file('poor-out.json'), 'utf8')) as Report & {
    readonly certificate: unknown;
  };
  expect({ exit, certificate: report.certificate }).toMatchObject({
    exit: EXITS.asExpected,
    certificate: {
      isCertified: false,
      reasons: [
        '3 flows were not tested: The profile has no card that approves late.',
        '1 flow was not tested: The profile has only one currency.',
        '5 flows were not tested: The profile has no card whose challenge a program can complete.',
        '1 flow was not tested: The profile has no card whose issuer asks for a challenge.',
      ],
    },
  });
  const inapplicable = report.flows.filter(({ skipKind }) => skipKind === 'not applicable').map(({ flow }) => flow);
  expect(inapplicable).toEqual(['unknown-merchant', ...UNDECLARED_FLOWS.map(({ name }) => name)]);

  await runForOutput(
    [...run, '--flow', 'credential', '--json', adapter.file('no-credential.json')].filter((word) => word !== '--all'),
  );
  expect(readFileSync(adapter.file('no-credential.json'), 'utf8')).toContain(
    '"1 flow was not tested: No credential was given: see --credential."',
  );
}, 60_000);

describe('the command exits', () => {
  const run = (...words: string[]) =>
    runForOutput(['run', '--acquirer', `grpc://${adapter.acquirer.address}`, ...words]);

  test.each<[string, string[], RegExp]>([
    ['nothing', [], /^acquirer-tester: plays .+\n\n {2}acquirer-tester run --acquirer <address>/],
    ['an unknown verb', ['dance'], /dance is nothing/],
    ['flows with an argument', ['flows', 'moto'], /flows moto is nothing/],
    ['a run without arguments', ['run'], /--acquirer is missing/],
    [
      'a profile that cannot be read',
      ['run', '--acquirer', 'grpc://h:1', '--profile', 'no.json', '--all'],
      /no.json cannot/,
    ],
    [
      'a list that cannot be read',
      ['run', '--acquirer', 'sandbox', '--all', '--expected-failures', 'no.txt'],
      /no.txt cannot be read/,
    ],
    [
      'a report in a folder that takes no files',
      ['run', '--acquirer', 'sandbox', '--all', '--json', '/proc/out.json'],
      /--json \/proc\/out.json cannot be written/,
    ],
  ])('with 2 for %s', async (_, words, message) => {
    const { exit, out, errors } = await runForOutput(words);
    expect({ exit, out }).toEqual({ exit: EXITS.usage, out: '' });
    expect(errors).toMatch(message);
  });

  test('with 1 when a flow fails, and its line names the clause', async () => {
    const { exit, out } = await run('--profile', 'sandbox', '--flow', 'authorise-hold');
    expect(exit).toBe(EXITS.deviation);
    expect(out).toMatch(/authorise-hold: failed .*\n +authorise: .*UNAUTHENTICATED.*\[answer\.outcome\]\n/);
  });

  test('with 0 when the failure is on the list', async () => {
    writeFileSync(adapter.file('known.txt'), 'authorise-hold/answer.outcome # no credential is given\n');
    const { exit, out } = await run(
      '--profile',
      'sandbox',
      '--flow',
      'authorise-hold',
      '--expected-failures',
      adapter.file('known.txt'),
    );
    expect({ exit, out }).toMatchObject({ exit: EXITS.asExpected, out: expect.stringContaining('failed as expected') });
  });

  test('with 3 when it was stopped', async () => {
    const stop = AbortSignal.abort();
    const { exit, out, errors } = await runForOutput(['run', '--acquirer', 'sandbox', '--all'], { stop });
    expect({ exit, out }).toMatchObject({
      exit: EXITS.notStarted,
      out: expect.stringContaining(` ${FLOWS.length} skipped`),
    });
    expect(errors).toContain('was stopped');
  });

  test('with 3 when there is no adapter', async () => {
    const closed = await openSandboxAcquirer({ seed: 'closed' });
    closed.close();
    const words = [
      'run',
      '--acquirer',
      `grpc://${closed.address}`,
      '--profile',
      'sandbox',
      '--all',
      '--wait-seconds',
      '1',
    ];
    const { exit, errors } = await runForOutput(words);
    expect({ exit, errors }).toEqual({
      exit: EXITS.notStarted,
      errors: `The tester cannot continue: no connection to grpc://${closed.address} within 1 s\n`,
    });
  });

  test('with 0 for its lists', async () => {
    expect(await runForOutput(['--help'])).toMatchObject({ exit: 0, out: /acquirer-tester run --acquirer/ });
    const { out } = await runForOutput(['clauses']);
    for (const [id, sentence] of Object.entries(CLAUSES))
      expect(out).toContain(`${id}\n    ${sentence}\n    Tested by `);
  });
});
