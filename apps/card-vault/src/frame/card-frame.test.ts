import { createHash } from 'node:crypto';
import { createContext, Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CardVaultServer } from '../vault-server.js';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';

const CHECKOUT = 'https://pay.example';

let testEnvironment: VaultTestEnvironment;
let vault: CardVaultServer;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
  vault = await testEnvironment.startAnother({ CHECKOUT_ORIGINS: `${CHECKOUT},http://127.0.0.1:3006` });
});
afterAll(() => testEnvironment.close());

async function readFrame(at: CardVaultServer = vault, path = '') {
  const answer = await fetch(`${at.url}/client/frame${path}`);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return { policy: answer.headers.get('content-security-policy') ?? '', text: await answer.text() };
}

test.each(['', '/saved-card'])(
  'only payment pages may show the fields%s, and only the frame’s own script runs',
  async (path) => {
    const { policy, text } = await readFrame(vault, path);
    const rules = Object.fromEntries(
      policy.split('; ').map((rule): [string, string[]] => {
        const [name = '', ...values] = rule.split(' ');
        return [name, values];
      }),
    );
    const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? '';
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
    const hashOf = (part: string) => `'sha256-${createHash('sha256').update(part).digest('base64')}'`;
    expect(rules).toEqual({
      'default-src': ["'none'"],
      'script-src': [hashOf(script)],
      'style-src': [hashOf(style)],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      // A frame inside this frame sends the payer's device data to the issuer.
      'frame-src': ['http://127.0.0.1:3005'],
      'form-action': ['http://127.0.0.1:3005'],
      'frame-ancestors': [CHECKOUT, 'http://127.0.0.1:3006'],
    });
    expect(text).not.toMatch(/(src|href)=/);
  },
);

test('no page may embed the frame of a vault without configured payment pages', async () => {
  const { policy } = await readFrame(await testEnvironment.startAnother());
  expect(policy).toContain("frame-ancestors 'none'");
});

interface CreatedElement {
  readonly tag: string;
  readonly action?: string;
}

/** The members of an element that the script uses; forms that are submitted are recorded in `orders`. */
function createElement(tag: string, orders: CreatedElement[]): CreatedElement {
  const created = { tag, setAttribute: doNothing, append: doNothing, addEventListener: doNothing, remove: doNothing };
  return Object.assign(created, { submit: () => orders.push(created) });
}

const doNothing = (): void => undefined;

/** A call that ends only when its caller aborts it. */
function createPendingAnswer({ signal }: RequestInit): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('gave up'))));
}

/** Runs the frame's script in a minimal page: the fields, a parent, and the real vault behind `fetch`. */
async function openFrame(values: Readonly<Record<string, string>>, { path = '', isSilent = false } = {}) {
  const { text } = await readFrame(vault, path);
  const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? '';
  const published: { message: Record<string, unknown>; origin: string }[] = [];
  const received: ((event: unknown) => void)[] = [];
  const posted: string[] = [];
  const orders: CreatedElement[] = [];
  const fields = Object.entries(values).map(([name, value]) => ({
    ...{ name, value, disabled: false, focus: () => undefined },
    labels: [{ firstChild: { data: name } }],
    setAttribute: () => undefined,
  }));
  const elements = Object.assign(fields, Object.fromEntries(fields.map((field) => [field.name, field])));
  const form = { elements, addEventListener: () => undefined, reset: () => undefined };
  const parent = {
    postMessage: (message: Record<string, unknown>, origin: string) => published.push({ message, origin }),
  };
  const context = createContext({
    ...{ parent, Object, Array, String, JSON },
    AbortSignal: { timeout: (ms: number) => AbortSignal.timeout(isSilent ? 0 : ms) },
    document: {
      ...{ forms: [form], getElementById: () => ({ textContent: '' }), documentElement: {} },
      body: { append: () => undefined },
      createElement: (tag: string) => createElement(tag, orders),
    },
    // The issuer's page never loads, so the script's time limit passes at once.
    setTimeout: (late: () => void) => setTimeout(late, 0),
    window: { addEventListener: (_: string, listener: (event: unknown) => void) => received.push(listener) },
    ResizeObserver: class {
      observe(): void {}
    },
    fetch: (path: string, init: RequestInit) => {
      posted.push(path);
      return isSilent ? createPendingAnswer(init) : fetch(`${vault.url}${path}`, init);
    },
  });
  new Script(script).runInContext(context);
  const say = (
    data: unknown,
    { origin = CHECKOUT, source = parent }: { origin?: string; source?: object } = {},
  ): void => received[0]!({ data, origin, source });
  /** The submitted forms. The script does not wait for the issuer's page, so the first may come after the result. */
  const ordered = async (): Promise<CreatedElement[]> => {
    for (let look = 0; orders.length === 0 && look < 1_000; look += 1) await new Promise((r) => setTimeout(r, 20));
    return orders;
  };
  const result = async (id: number): Promise<Record<string, unknown>> => {
    for (let look = 0; look < 1_000; look += 1) {
      const found = published.find(({ message }) => message['type'] === 'result' && message['id'] === id);
      if (found !== undefined) return found.message;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('the frame published no result');
  };
  return { say, published, posted, orders, ordered, result };
}

const CARD = { cardNumber: '4456 5300 0009 1014', cardName: 'A Guest', expiryDate: '12/32', cV2: '020' };

describe('the frame', () => {
  test('pays through its own origin, and sends its parent the result and no field value', async () => {
    const payable = await testEnvironment.createPayable();
    const page = await openFrame(CARD);
    page.say({ type: 'hello' });
    page.say({ type: 'submit', id: 1, secret: payable.secret, details: { emailAddress: 'guest@example.com' } });
    expect(await page.result(1)).toMatchObject({ id: 1, result: { statusCode: 0, message: 'DEPOSITED' }, fields: [] });
    expect(page.posted).toEqual(['/client/device-data', '/client/payments']);
    expect(await page.ordered()).toMatchObject([{ tag: 'form', action: 'http://127.0.0.1:3005/acquirer/device-data' }]);
    expect(page.published.map(({ origin }) => origin)).toEqual([CHECKOUT, CHECKOUT]);
    expect(JSON.stringify(page.published)).not.toMatch(/4456|020"|A Guest/);
    expect(await testEnvironment.readState(payable)).toBe('Captured Captured');
  });

  test('names the invalid fields', async () => {
    const payable = await testEnvironment.createPayable();
    const page = await openFrame({ ...CARD, cardNumber: '1234', cV2: 'x' });
    page.say({ type: 'submit', id: 2, secret: payable.secret });
    const published = await page.result(2);
    expect(published).toMatchObject({ id: 2, result: { statusCode: 400 } });
    expect(Array.from(published['fields'] as string[]).sort()).toEqual(['cV2', 'cardNumber']);
  });

  test('of a saved card sends the CV2 and the card’s id, and no device data, because it has no number', async () => {
    const payable = await testEnvironment.createPayable();
    const page = await openFrame({ cV2: '020' }, { path: '/saved-card' });
    const details = { paymentMethodId: 'pm_nobodys' };
    page.say({ type: 'submit', id: 4, secret: payable.secret, details });
    expect(await page.result(4)).toMatchObject({ id: 4, result: { statusCode: 404 } });
    expect([page.posted, page.orders]).toEqual([['/client/payments/saved-card'], []]);
  });

  test('reports a vault that never answers, and can be submitted again', async () => {
    const page = await openFrame(CARD, { isSilent: true });
    page.say({ type: 'submit', id: 5, secret: 'any' });
    expect(await page.result(5)).toMatchObject({ result: { statusCode: 500 }, fields: [] });
    page.say({ type: 'submit', id: 6, secret: 'any' });
    expect(await page.result(6)).toMatchObject({ result: { statusCode: 500 }, fields: [] });
    expect(page.posted.filter((path) => path === '/client/payments')).toHaveLength(2);
  });

  test('answers a second submission while one is running, and pays once', async () => {
    const payable = await testEnvironment.createPayable();
    const page = await openFrame(CARD);
    page.say({ type: 'submit', id: 7, secret: payable.secret });
    page.say({ type: 'submit', id: 8, secret: payable.secret });
    expect(await page.result(8)).toMatchObject({ result: { statusCode: 500 }, fields: [] });
    expect(await page.result(7)).toMatchObject({ result: { statusCode: 0 } });
    expect(page.posted.filter((path) => path === '/client/payments')).toHaveLength(1);
  });

  test('ignores messages from another origin and from windows other than its parent', async () => {
    const payable = await testEnvironment.createPayable();
    const page = await openFrame(CARD);
    const message = { type: 'submit', id: 3, secret: payable.secret };
    page.say(message, { origin: 'https://pay.example.evil.example' });
    page.say(message, { source: {} });
    page.say('submit');
    expect([page.posted, page.published]).toEqual([[], []]);
  });
});
