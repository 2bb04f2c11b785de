import { expect, test } from '@jest/globals';
import { NameResolver } from './name-resolver.js';

/** A name server that answers only when the test lets it. */
function createSilentLookup() {
  const lookedUp: string[] = [];
  const waiting: ((addresses: string[]) => void)[] = [];
  const aborted: string[] = [];
  return {
    asked: lookedUp,
    aborted,
    lookup: (name: string, signal: AbortSignal) => {
      lookedUp.push(name);
      signal.addEventListener('abort', () => aborted.push(name));
      return new Promise<string[]>((resolve) => waiting.push(resolve));
    },
    answer: () => {
      for (const resolve of waiting.splice(0)) resolve(['203.0.113.1']);
    },
  };
}

test('simultaneous requests for one name share a lookup, in every spelling', async () => {
  const server = createSilentLookup();
  const resolver = new NameResolver(server);
  const all = ['shop.example', 'SHOP.example', 'shop.example.'].map((name) => resolver.resolve(name));
  server.answer();
  expect(await Promise.all(all)).toEqual(all.map(() => ['203.0.113.1']));
  expect(server.asked).toEqual(['shop.example']);
  const repeated = resolver.resolve('shop.example');
  server.answer();
  await repeated;
  expect(server.asked).toHaveLength(2);
});

test('a silent name server of one domain leaves lookups for other domains', async () => {
  const server = createSilentLookup();
  const resolver = new NameResolver(server);
  const ofOneDomain = Array.from({ length: 300 }, (_, at) => resolver.resolve(`h${at}.slow.example`));
  expect(server.asked).toHaveLength(8);
  const other = resolver.resolve('hooks.shop.test');
  expect(server.asked).toHaveLength(9);
  while (resolver.pendingCount > 0) {
    server.answer();
    await new Promise(setImmediate);
  }
  expect(await other).toEqual(['203.0.113.1']);
  expect(await Promise.all(ofOneDomain)).toHaveLength(300);
});

test('the total of lookups is limited, and a waiting one starts when another ends', async () => {
  const server = createSilentLookup();
  const resolver = new NameResolver(server);
  const running = Array.from({ length: 128 }, (_, at) => resolver.resolve(`a.d${at}.example${at}`));
  const next = resolver.resolve('one.too.many');
  expect(server.asked).toHaveLength(128);
  server.answer();
  await Promise.all(running);
  expect(server.asked.at(-1)).toBe('one.too.many');
  server.answer();
  expect(await next).toEqual(['203.0.113.1']);
});

test('a waiting lookup also ends at its time limit, without a query', async () => {
  const server = createSilentLookup();
  const resolver = new NameResolver({ lookup: server.lookup, limitMs: 20 });
  const all = await Promise.allSettled(Array.from({ length: 9 }, (_, at) => resolver.resolve(`h${at}.slow.example`)));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 'rejected'));
  expect(server.asked).toHaveLength(8);
});

test('names beyond the longest queue are refused at once', async () => {
  const resolver = new NameResolver({ ...createSilentLookup(), limitMs: 50 });
  const all = Array.from({ length: 1_010 }, (_, at) => resolver.resolve(`h${at}.slow.example`));
  const [last] = await Promise.allSettled(all.slice(-1));
  expect(last).toMatchObject({ reason: new Error('too many names wait for their lookup') });
  await Promise.allSettled(all);
});

test('a lookup without an answer ends at its limit and is cancelled', async () => {
  const server = createSilentLookup();
  const resolver = new NameResolver({ lookup: server.lookup, limitMs: 20 });
  await expect(resolver.resolve('silent.example')).rejects.toThrow('not resolved in time');
  expect(server.aborted).toEqual(['silent.example']);
  expect(resolver.pendingCount).toBe(0);
});
