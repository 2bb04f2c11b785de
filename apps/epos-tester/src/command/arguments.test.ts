import { describe, expect, test } from '@jest/globals';
import { FLOWS } from '../flows/flows.js';
import { UsageError } from '@pos/conformance/command';
import { readRunRequest } from './arguments.js';

const EPOS = ['--epos', 'http://epos.example:8080/pos/', '--username', 'till', '--password', 'secret'];
const read = (...words: string[]) => readRunRequest(words, undefined);

describe('the EPOS', () => {
  const called = { username: 'till', password: 'secret' };

  test.each([
    ['over REST', EPOS, { rest: { ...called, url: 'http://epos.example:8080/pos' }, transports: ['rest'] }],
    [
      'over gRPC',
      ['--epos', 'grpc://till:secret@epos.example:99'],
      { grpc: { ...called, url: 'http://epos.example:99' }, transports: ['grpc-dialled'] },
    ],
    [
      'over gRPC with TLS',
      ['--epos', 'grpcs://till:secret@epos.example:99'],
      { grpc: { ...called, url: 'https://epos.example:99' }, transports: ['grpc-dialled'] },
    ],
    ['that dials in', ['--epos', 'tables-ws', '--epos', 'ws'], { transports: ['ws', 'tables-ws'], rest: null }],
    [
      'over every transport',
      [...EPOS, '--epos', 'ws', '--epos', 'grpc-stream'],
      { transports: ['rest', 'ws', 'grpc-stream'] },
    ],
    [
      'over one of its transports',
      [...EPOS, '--epos', 'ws', '--transport', 'ws'],
      { transports: ['ws'], available: ['rest', 'ws'] },
    ],
    [
      'of the sandbox',
      ['--epos', 'reference', '--transport', 'rest,ws'],
      { isReference: true, transports: ['rest', 'ws'] },
    ],
  ])('%s', (_, words, wanted) => {
    expect(read(...words, '--all')).toMatchObject(wanted);
  });

  test('has the name and version that the user gives it, and the page the language', () => {
    const words = ['--epos-name', ' Bar <3> ', '--epos-version', '4.2', '--language', 'de', '--html', 'out.html'];
    expect(read(...EPOS, '--all', ...words)).toMatchObject({
      product: { name: 'Bar <3>', version: '4.2' },
      reports: { html: 'out.html', language: 'de' },
    });
    expect(read(...EPOS, '--all')).toMatchObject({ product: { name: '', version: '' }, reports: { language: 'en' } });
  });

  test('is shown without its password', () => {
    expect(read('--epos', 'http://till:secret@epos.example', '--epos', 'ws', '--all').epos).toBe(
      'http://epos.example ws',
    );
  });

  test.each([
    'http://till:s%cret@epos.example',
    String.raw`http:\\till:s%cret@epos.example`,
    'https:till:s%cret@epos.example',
    'https:/till:s%cret@epos.example',
  ])('is called with its password, and shown without it: %s', (address) => {
    const { epos, rest } = read('--epos', address, '--all');
    expect([rest?.password, epos.replace('https', 'http')]).toEqual(['s%cret', 'http://epos.example']);
  });

  test.each([
    'grpc:till:secret@epos.example',
    'grpc://till:secret@epos.example',
    'ftp://till:secret@epos.example',
    '//till:secret@epos.example',
    'http://till:secret@',
    'http://:secret@epos.example',
  ])('is refused without showing its password: %s', (address) => {
    const getMessage = (): string => {
      try {
        return read('--epos', address, '--all').epos;
      } catch (error) {
        return error instanceof UsageError ? error.message : '';
      }
    };
    expect(getMessage()).toContain('--epos');
    expect(getMessage()).not.toContain('secret');
  });

  test('may have its password in the environment, so that no process list shows it', () => {
    expect(readRunRequest(['--epos', 'https://t.example', '--username', 'till', '--all'], 'secret').rest).toEqual({
      ...called,
      url: 'https://t.example',
    });
  });
});

describe('what is played', () => {
  test('is every flow that the transport allows, and every other has a reason', () => {
    const { chosen } = read(...EPOS, '--all');
    expect(chosen.map(({ flow }) => flow)).toEqual(FLOWS);
    expect(chosen.find(({ flow }) => flow.name === 'pay-in-full')?.skip).toBeNull();
    expect(chosen.find(({ flow }) => flow.name === 'reconnect')?.skip?.reason).toMatch(/socket/);
  });

  test('depends on the capabilities that the EPOS has registered', () => {
    const { chosen } = read(...EPOS, '--flow', 'ListAreas,SearchTables', '--capabilities', 'SearchTables');
    const reason = 'It needs what the EPOS does not offer: ListAreas.';
    expect(chosen.map(({ skip }) => skip)).toEqual([{ kind: 'not applicable', reason }, null]);
  });

  test('passes parameters to the flows that have them', () => {
    const { chosen } = read(...EPOS, '--flow', 'lock-expiry', '--flow', 'LISTAREAS', '--param', 'lockSeconds=1');
    const params = new Map(chosen.map(({ flow, params: each }) => [flow.name, each.lockSeconds]));
    expect(Object.fromEntries(params)).toEqual({ ListAreas: 60, 'lock-expiry': 1 });
  });
});

describe('refused arguments', () => {
  test.each([
    ['no EPOS', ['--all'], /--epos is missing/],
    ['an EPOS that is not an address', ['--epos', 'till', '--all'], /till is none of http/],
    ['an address of another kind', ['--epos', 'ftp://u:p@till', '--all'], /ftp:\/\/till is none of/],
    [
      'an EPOS without a password',
      ['--epos', 'http://till', '--username', 'u', '--all'],
      /needs --username, and --password/,
    ],
    ['one transport twice', [...EPOS, '--epos', 'https://u:p@other', '--all'], /names one transport twice/],
    ['the reference beside another', [...EPOS, '--epos', 'reference', '--all'], /cannot be combined/],
    ['no flow', EPOS, /either --all or --flow/],
    ['all flows and one', [...EPOS, '--all', '--flow', 'tip'], /either --all or --flow/],
    ['an unknown flow', [...EPOS, '--flow', 'tipp'], /tipp is not the name of a flow/],
    ['a transport that the EPOS does not have', [...EPOS, '--all', '--transport', 'ws'], /ws is none of rest/],
    ['an unknown parameter', [...EPOS, '--flow', 'tip', '--param', 'people=2'], /none of the flows has it/],
    ['a parameter without a value', [...EPOS, '--flow', 'tip', '--param', 'amount'], /amount is not name=value/],
    ['a parameter out of bounds', [...EPOS, '--flow', 'split-equal', '--param', 'people=0'], /params.people: Must be/],
    ['a transport as a parameter', [...EPOS, '--flow', 'tip', '--param', 'transport=ws'], /say --transport/],
    ['an unknown capability', [...EPOS, '--all', '--capabilities', 'Dance'], /Dance is not the name of a cap/],
    ['a currency in small letters', [...EPOS, '--all', '--currency', 'gbp'], /three capital letters/],
    ['a host by its name', [...EPOS, '--all', '--host', 'epos.example'], /--host epos.example is not an IP address/],
    ['an invalid port', [...EPOS, '--all', '--http-port', '70000'], /--http-port is a whole number/],
    ['an unknown language', [...EPOS, '--all', '--language', 'fr'], /--language fr is none of en, de/],
    [
      'a name that no page has room for',
      [...EPOS, '--all', '--epos-name', 'x'.repeat(101)],
      /--epos-name has at most 100/,
    ],
    [
      'a version that no page has room for',
      [...EPOS, '--all', '--epos-version', 'x'.repeat(101)],
      /--epos-version has at most 100/,
    ],
    ['an unknown option', [...EPOS, '--all', '--quick'], /--quick/],
    ['an argument that is not an option', [...EPOS, '--all', 'please'], /please/],
  ])('%s', (_, words, message) => {
    expect(() => read(...words)).toThrow(UsageError);
    expect(() => read(...words)).toThrow(message);
  });
});
