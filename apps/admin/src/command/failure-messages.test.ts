import { describe, expect, test } from '@jest/globals';
import { Refusal, StartFailure } from '@pos/core/refusals';
import { runCommand } from './application.js';
import { defineQuery } from './command-definition.js';

/** An error as a driver throws it: its text has what a reader must not see. */
function fail(code: string | null, more: object = {}): Error {
  const error = new Error('insert into accounts values (SECRET-ROW) at postgres://app:PASSWORD@db.internal');
  return Object.assign(error, code === null ? {} : { code }, more);
}

/** Runs a command that throws. */
async function run(error: unknown, words: readonly string[] = []) {
  const command = defineQuery({
    path: 'fail',
    examples: [],
    flags: {},
    run: () => {
      throw error;
    },
  });
  let [output, written] = ['', ''];
  const exitCode = await runCommand(
    [{ briefs: { fail: 'Fails.' }, load: () => Promise.resolve([command]) }],
    ['fail', ...words],
    {
      env: {},
      operatingSystem: { login: null, numbers: [] },
      readSettings: () => ({}) as never,
      writeOutput: (text) => (output += text),
      writeError: (text) => (written += text),
    },
  );
  return { exitCode, output, written };
}

const LEAKS = /SECRET-ROW|PASSWORD|insert into| {4}at /;

describe('a failure of the surroundings is one sentence with what to do', () => {
  test.each<[string, unknown, number, string]>([
    ['no server', fail('ECONNREFUSED'), 3, 'the connection failed'],
    ['no such name', fail('ENOTFOUND'), 3, 'the connection failed'],
    ['a server that ends the connection', fail('57P01'), 3, 'the connection failed'],
    ['several addresses of no server', new AggregateError([fail('ECONNREFUSED')], 'SECRET-ROW'), 3, 'the connection'],
    ['a certificate of another name', fail('ERR_TLS_CERT_ALTNAME_INVALID'), 3, 'no TLS connection'],
    ['an unknown authority', fail('SELF_SIGNED_CERT_IN_CHAIN'), 3, 'no TLS connection'],
    ['a wrong password', fail('28P01'), 3, 'the database refuses the login'],
    ['a missing right', fail('42501'), 3, 'the login may not do this'],
    ['a statement that takes too long', fail('57014'), 3, 'the database took too long'],
    ['a lock that does not come', fail('55P03'), 3, 'the database took too long'],
    ['a serialization failure', fail('40001'), 3, 'another change was first'],
    ['a full disk of the database', fail('53100'), 3, 'a disk is full'],
    ['a full disk here', fail('ENOSPC'), 3, 'a disk is full'],
    ['no connection left', fail('53300'), 3, 'no connection or memory left'],
    ['a missing file', fail('ENOENT'), 2, 'a file of the command is not there'],
    ['a file without permission', fail('EACCES'), 2, 'a file may not be read'],
    ['the error of TypeORM around it', fail(null, { driverError: fail('40001') }), 3, 'another change was first'],
    ['a cause', new Error('SECRET-ROW', { cause: fail('53100') }), 3, 'a disk is full'],
  ])('%s', async (_, error, code, sentence) => {
    const { exitCode, output, written } = await run(error);
    expect([exitCode, output]).toEqual([code, '']);
    expect(written).toMatch(new RegExp(`^fail: .*${sentence}.*\\n$`));
    expect(written).not.toMatch(LEAKS);
  });
});

describe('an unexpected error shows an id, and its text only with --debug', () => {
  test.each<[string, unknown]>([
    ['an error without a code', fail(null)],
    ['a SQLSTATE of a defect', fail('42P01')],
    ['a code that is none', fail('ERR_ASSERTION')],
    ['no error', 'SECRET-ROW'],
    ['nothing', undefined],
  ])('%s', async (_, error) => {
    const { exitCode, written } = await run(error);
    expect(exitCode).toBe(4);
    expect(written).toMatch(/^fail: an unexpected error, err_[0-9a-f]{8}: run the command again with --debug, .*\n$/);
    expect(written).not.toMatch(LEAKS);
  });

  test('--debug writes the error with its stack under its id', async () => {
    const { written } = await run(fail(null), ['--debug']);
    const [, id = ''] = /unexpected error, (err_\w+)/.exec(written) ?? [];
    expect(written).toContain(`\n${id}: Error: insert into accounts values (SECRET-ROW)`);
    expect(written).toMatch(/ {4}at /);
  });

  test('with --json the details are a member, and only with --debug', async () => {
    const json = async (...words: string[]) =>
      JSON.parse((await run(fail(null), ['--json', ...words])).written) as object;
    expect(await json()).toEqual({
      error: { code: 'defect', message: expect.stringMatching(/^an unexpected error, err_/) },
    });
    expect(await json('--debug')).toMatchObject({ details: expect.stringContaining('SECRET-ROW') });
  });
});

test.each([
  ['a refusal', new Refusal('acquirer_not_configured', 'no acquirer of production'), 1, 'no acquirer of production'],
  ['a refused start', new StartFailure('the server is away'), 3, 'the server is away'],
])('%s keeps its own sentence', async (_, error, code, sentence) => {
  expect(await run(error)).toEqual({ exitCode: code, output: '', written: `fail: ${sentence}\n` });
});
