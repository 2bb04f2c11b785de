import path from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { expect, test } from '@jest/globals';
import { rolldown } from 'rolldown';
import { createSimulatedService, INTENT_ID, PATHS, SERVICE } from '../testing/simulated-service.js';
import type * as entry from '../payment-flow.js';

/** The entry as apps import it; the build writes it. */
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** What an app downloads: the flow, its errors, and how amounts are written. */
const FLOW_FILES = /^(payment-flow|flow\/[\w-]+|errors\/errors|money\/money-text|gen\/currencies)\.js$/;

/** What an engine of a mobile app has beside ECMAScript. Every name of a browser is missing. */
function createAppContext(send: typeof fetch): vm.Context {
  return vm.createContext({ fetch: send, setTimeout, clearTimeout, AbortController });
}

/** Loads a module and those that it imports into the context, as an app has them in its bundle. */
async function loadModule<Module>(file: string, context: vm.Context): Promise<{ module: Module; files: string[] }> {
  const bundle = await rolldown({ input: path.join(DIST, file), treeshake: false });
  const { output } = await bundle.generate({ format: 'iife', name: 'entry' });
  await bundle.close();
  const { code, moduleIds } = output[0];
  vm.runInContext(code, context, { filename: file });
  return {
    module: vm.runInContext('entry', context) as Module,
    files: moduleIds.filter((id) => path.isAbsolute(id)).map((id) => path.relative(DIST, id)),
  };
}

test('an app without a DOM pays: it opens, submits its fields, passes a challenge, and has the result', async () => {
  const service = createSimulatedService();
  const context = createAppContext(service.fetch);
  const { module, files } = await loadModule<typeof entry>('payment-flow.js', context);
  expect(files.filter((file) => !FLOW_FILES.test(file))).toEqual([]);
  for (const name of ['window', 'document', 'navigator', 'location', 'HTMLElement', 'URL', 'crypto', 'process'])
    expect([name, vm.runInContext(`typeof ${name}`, context)]).toEqual([name, 'undefined']);

  const { PaymentFlow, PaymentService, CardFieldsChannel, formatDecimal, readTheme } = module;
  const shown: unknown[] = [];
  const flow = new PaymentFlow(
    new PaymentService({ ...SERVICE, origin: 'https://app.example' }),
    { paymentIntentId: INTENT_ID, customerSecret: 'cs_1' },
    { showChallenge: async (challenge) => (shown.push(challenge.stepUpUrl), 'answer of the issuer') },
  );
  await flow.open();
  expect(flow.state.kind).toBe('ready');
  // The web view of the app: it answers with a challenge.
  const channel = new CardFieldsChannel(({ type, id }) => {
    const result = { statusCode: 3, transactionId: 't', stepUpUrl: 'https://issuer.example/', paReq: 'p', md: 'm' };
    if (type === 'submit') channel.receive({ type: 'result', id, result, fields: [] });
  }, {});
  await flow.pay((secrets) => channel.submit({ ...secrets, details: {} }));
  expect([await flow.result, shown]).toEqual([0, ['https://issuer.example/']]);
  expect(service.listPaths()).toEqual([PATHS.read, PATHS.savedCards, PATHS.open, PATHS.refresh, PATHS.challenge]);
  expect(new Set(service.sent.map(({ headers }) => headers['origin']))).toEqual(new Set(['https://app.example']));
  expect(formatDecimal({ value: 1250, currencyCode: 'HUF' })).toBe('12.50');
  expect(() => readTheme({ separatorColor: 'red' })).toThrow('theme.separatorColor');
});

test('the context would show a use of the DOM: the web component does not load there as a component', async () => {
  const context = createAppContext(createSimulatedService().fetch);
  type Component = { PaymentComponent: new (config: object) => unknown };
  const { module } = await loadModule<Component>('payment-component.js', context);
  const { PaymentComponent } = module;
  const config = { containerId: 'fields', paymentDetails: { paymentToken: 's' }, service: SERVICE };
  expect(() => new PaymentComponent(config)).toThrow('document is not defined');
});
