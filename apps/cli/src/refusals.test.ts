import { afterEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runWords, StubService } from './testing/command-environment.js';

let stub: StubService | null = null;
afterEach(async () => {
  await stub?.close();
  stub = null;
});
const openStub = async (status: number, body: unknown): Promise<StubService> => {
  stub = await StubService.open(status, body);
  return stub;
};

describe('words that cannot work end with 2, and nothing is sent', () => {
  test.each<[string, string]>([
    ['nothing', 'No command registered for `nothing`'],
    ['trigger', 'Expected at least 1 argument'],
    ['trigger lottery', 'must be one of payment, payment-challenge'],
    ['trigger constructor', 'must be one of payment'],
    ['trigger sale --with amount=12.50', 'must be whole minor units, such as 1250 for 12.50'],
    ['trigger sale --with amount=-5', 'must be whole minor units'],
    ['trigger sale --with amount=0', 'must be whole minor units'],
    ['trigger sale --with amount=1e3', 'must be whole minor units'],
    ['trigger sale --with amount', 'must be name=value'],
    ['trigger sale --with amount=1 --with amount=2', '--with amount is given twice'],
    ['trigger sale --with tip=5', '--with tip: this scenario reads amount, currency, tid, reference'],
    ['trigger sale --with currency=pounds', 'must be like GBP'],
    ['trigger payment', 'this scenario pays by card: set POS_CARD_VAULT_URL'],
    ['trigger no-show', 'this scenario pays by card: set POS_CARD_VAULT_URL'],
    ['trigger payment --with card=4111', 'must be the number of a test card'],
    ['trigger sale-signature --with accept=perhaps', 'must be true or false'],
    ['api readPaymentIntent', 'readPaymentIntent takes paymentIntentId behind its name, not 0 words'],
    ['api readPaymentIntent pi_1 pi_2', 'not 2 words'],
    ['api listTerminals tm_1', 'listTerminals takes no ids'],
    ['api paymentintent', 'perhaps readPublicPaymentIntent or createPaymentIntent'],
    ['api toString', 'toString is no operation'],
    ['api createPaymentIntent', 'needs --body'],
    ['api createPaymentIntent --body {', '--body: '],
    ['api createPaymentIntent --body @no-such-file', 'no-such-file'],
    ['api readPaymentIntent pi_1 --body {}', 'takes no --body'],
    ['api createPaymentIntent --body {} --query a=b', 'takes no --query'],
    ['api readPaymentIntent pi_1 --idempotency-key k', 'takes no idempotencyKey'],
    ['deliveries list --state Lost', 'must be one of Pending, Held, Delivered, DeadLettered'],
    ['deliveries list --limit 0', 'must be a whole number from 1 to 10000'],
    ['clock advance', 'Expected at least 1 argument'],
    ['clock advance soon', 'must be like 10s, 5m, 2h or 7d'],
    ['clock advance -5s', 'must be like 10s'],
    ['clock advance 0s', 'must be like 10s'],
    ['listen --forward-to ftp://localhost', 'must be an http address'],
    ['listen --forward-to localhost:4242', 'must be an http address'],
    ['listen --name ../x', 'must be letters, digits'],
    ['listen --public-url http://tunnel.example --port 4242', 'must be an https address'],
    ['listen --public-url https://tunnel.example', '--public-url needs --port'],
    ['listen --port 70000', 'must be a whole number from 1 to 65535'],
    ['listen --account garden-room', '--account chooses among the restaurants of npm start'],
    ['sandbox new', 'needs the sandbox of npm start'],
    ['sandbox delete', 'Expected at least 1 argument'],
    ['sandbox delete throwaway-1', 'needs the sandbox of npm start'],
    ['sandbox delete ../oyster-shed', 'must be the name of an account'],
    ['open', 'Expected at least 1 argument'],
    ['open kitchen-sink', 'must be one of portal, docs, machine, checkout'],
    ['open toString', 'must be one of portal'],
    ['open portal', 'this page is one of npm start'],
    ['open docs', 'this page is one of npm start'],
    ['open machine', 'this page is one of npm start'],
    ['tables', 'needs the sandbox of npm start'],
    ['terminals unplug 90000001 --when later', 'must be one of now, after-confirm, after-approval'],
    ['terminals unplug 90000001 --seconds 0', 'must be a whole number'],
    ['terminals tap 90000001 --amount 5', 'must be a whole number from 100'],
    ['tester run x --param y', 'must be name=value'],
    ['tester list', 'needs the sandbox of npm start'],
    ['logs api', 'the logs are those of npm start'],
    ['webhooks verify no-such-file --secret s', 'no-such-file'],
    ['webhooks verify no-such-file', 'give --secret, or set POS_WEBHOOK_SECRET'],
    ['completion fish', 'must be bash or zsh'],
  ])('pos %s', async (line, says) => {
    const service = await openStub(200, {});
    const { exitCode, error } = await runWords(line.split(' '), service.settings());
    expect([exitCode, error]).toEqual([2, expect.stringContaining(says)]);
    expect(service.requests).toEqual([]);
  });
});

test('a service on another machine reaches no loopback, so that listen needs a tunnel', async () => {
  const settings = { POS_API_URL: 'https://api.invalid', POS_API_KEY: 'sk_sandbox_1' };
  const { exitCode, error } = await runWords(['listen'], settings);
  expect([exitCode, error]).toEqual([2, expect.stringContaining('set --public-url and --port of a tunnel')]);
});

describe('with a production key', () => {
  test.each([
    ['trigger payment', 'would move real money'],
    ['terminals tap 90000001', 'would move real money'],
    ['terminals decline 90000001', 'would move real money'],
    ['open checkout', 'would take real money'],
    ['sandbox new', 'needs the sandbox of npm start'],
    ['api refundPaymentIntent pi_1 --body {}', 'add --production if you mean it'],
    ['api cancelPaymentIntent pi_1', 'add --production if you mean it'],
  ])('pos %s is refused, and nothing is sent', async (line, says) => {
    const service = await openStub(200, {});
    const { exitCode, error } = await runWords(line.split(' '), service.settings('sk_prod_1'));
    expect([exitCode, error]).toEqual([2, expect.stringContaining(says)]);
    expect(service.requests).toEqual([]);
  });

  test('a read is allowed, and a change that says so', async () => {
    const service = await openStub(200, { id: 'pi_1' });
    const settings = service.settings('sk_prod_1');
    expect(await runWords(['api', 'readPaymentIntent', 'pi_1'], settings)).toMatchObject({ exitCode: 0 });
    const change = ['api', 'cancelPaymentIntent', 'pi_1', '--production'];
    expect(await runWords(change, settings)).toMatchObject({ exitCode: 0 });
    expect(service.requests).toEqual(['GET /payment-intents/pi_1', 'DELETE /payment-intents/pi_1']);
  });
});

describe('what the service or the network refuses', () => {
  const problem = {
    ...{ status: 409, title: 'Busy', detail: 'an attempt is running', reason: 'payment_intent_busy', traceId: 't-1' },
    errors: { amount: ['is too large'] },
  };

  test('a refusal ends with 1 and shows reason, fields and trace', async () => {
    const service = await openStub(409, problem);
    const { exitCode, output, error } = await runWords(['api', 'cancelPaymentIntent', 'pi_1'], service.settings());
    expect([exitCode, output]).toEqual([1, '']);
    expect(error).toBe(
      'pos api: 409 payment_intent_busy: an attempt is running\n  amount: is too large\n  trace id t-1\n',
    );
  });

  test('with --json a refusal is one line of JSON', async () => {
    const service = await openStub(409, problem);
    const { error } = await runWords(['api', 'cancelPaymentIntent', 'pi_1', '--json'], service.settings());
    expect(JSON.parse(error)).toEqual({
      error: {
        ...{ kind: 'refused', status: 409, reason: 'payment_intent_busy', detail: 'an attempt is running' },
        ...{ fields: { amount: ['is too large'] }, traceId: 't-1' },
      },
    });
  });

  const HOSTILE = '\u001b[2J\u009b2J\u202eevil\u{e0041}\ttab';
  const ESCAPED = '\\u001b[2J\\u009b2J\\u202eevil\\udb40\\udc41\ttab';

  test('a refusal cannot command the terminal', async () => {
    const service = await openStub(409, { ...problem, detail: HOSTILE, errors: { [HOSTILE]: [HOSTILE] } });
    const { error } = await runWords(['api', 'cancelPaymentIntent', 'pi_1'], service.settings());
    expect(error).toBe(`pos api: 409 payment_intent_busy: ${ESCAPED}\n  ${ESCAPED}: ${ESCAPED}\n  trace id t-1\n`);
  });

  test.each([[], ['--json']])('an answer cannot command the terminal, and keeps its value %s', async (...flags) => {
    const service = await openStub(200, { id: 'pi_1', reference: HOSTILE });
    const { output } = await runWords(['api', 'readPaymentIntent', 'pi_1', ...flags], service.settings());
    expect(output).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(output)).toEqual({ id: 'pi_1', reference: HOSTILE });
  });

  test.each(['POS_API_URL', 'POS_API_KEY'])('%s alone is a wrong setting', async (name) => {
    const { exitCode, error } = await runWords(['events'], { [name]: 'https://api.example' });
    expect([exitCode, error]).toEqual([2, expect.stringContaining('go together')]);
  });

  test('no running service ends with 3', async () => {
    expect(await runWords(['events'])).toMatchObject({ exitCode: 3, error: expect.stringContaining('npm start') });
  });

  test.each(['{"urls": {}}', '{"restaurants'])(
    'a file of npm start that cannot be read ends with 3: %s',
    async (text) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'cli-'));
      writeFileSync(path.join(folder, 'dev.json'), text);
      const { exitCode, error } = await runWords(['events'], { DATA_DIR: folder });
      rmSync(folder, { recursive: true });
      expect([exitCode, error]).toEqual([3, expect.stringContaining('was written by another release')]);
      if (text.endsWith('}')) expect(error).toContain('restaurants');
    },
  );
});

describe('a server that answers with something else is named, with what was expected', () => {
  const COMMANDS = [
    'events',
    'deliveries list --subscription sub_1',
    'deliveries list',
    'deliveries replay --subscription sub_1',
    'deliveries replay dlv_1 --subscription sub_1',
    'deliveries replay --subscription sub_1 --wait',
    'trigger sale',
    'trigger payment',
    'trigger no-show',
    'terminals tap 90000001',
    'terminals decline 90000001',
    'terminals list',
    'clock advance 1h',
    'open checkout',
    'listen --forward-to http://127.0.0.1:9/ --public-url https://tunnel.example --port 0',
  ];
  const ANSWERS: readonly [string, unknown][] = [
    ['a page', '<html><body>Welcome</body></html>'],
    ['null', null],
    ['an object', {}],
    ['a list', []],
    ['a list of nulls', [null]],
    ['a number', 7],
    ['other members', { data: 'x', items: 1, models: {} }],
  ];
  test.each(COMMANDS.flatMap((line) => ANSWERS.map(([name, body]) => [line, name, body] as const)))(
    'pos %s, answered with %s',
    async (line, _, body) => {
      const service = await openStub(200, body);
      const settings = { ...service.settings(), POS_CARD_VAULT_URL: service.settings()['POS_API_URL'] ?? '' };
      const { exitCode, output, error } = await runWords(line.split(' '), settings);
      expect(output + error).not.toMatch(/undefined|Cannot read|is not (a function|iterable)/i);
      // A list without elements is an answer of some lists.
      if (exitCode !== 3) expect([0, 2]).toContain(exitCode);
      else expect(error).toContain(service.settings()['POS_API_URL']);
    },
  );
});
