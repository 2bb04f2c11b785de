import { afterEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createLog } from './log.js';
import { endSpan, isTracing } from './span.js';
import { continueTrace } from './trace.js';
import { startTraceExport } from './trace-export.js';

const DIST = path.resolve(import.meta.dirname, '../../dist');

/** Loads a built module in a process of its own, runs a line, and lists the loaded packages of OpenTelemetry. */
function listOpenTelemetryModules(line: string): string {
  const script = `
    import { createRequire } from 'node:module';
    import { createLog } from '${DIST}/telemetry/log.js';
    import { MonitoringModule } from '${DIST}/nest/monitoring-module.js';
    import { startTraceExport } from '${DIST}/telemetry/trace-export.js';
    ${line}
    const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('@opentelemetry'));
    console.log(MonitoringModule.name, loaded.length > 0 ? 'loaded' : 'not loaded');
    process.exit(0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return `${stdout}${stderr}`.trim();
}

test('a process without an endpoint loads nothing of OpenTelemetry, and one with an endpoint does', () => {
  expect(listOpenTelemetryModules('')).toBe('MonitoringModule not loaded');
  const options = `{ endpoint: 'http://127.0.0.1:1', sampleRatio: 1, app: 'x', release: '1', log: createLog({ app: 'x', level: 'silent' }) }`;
  expect(listOpenTelemetryModules(`await startTraceExport(${options});`)).toBe('MonitoringModule loaded');
});

let collector: Server | null = null;

afterEach(() => {
  collector?.closeAllConnections();
  collector?.close();
});

async function openCollector(status: number): Promise<{ endpoint: string; bodies: string[] }> {
  const bodies: string[] = [];
  collector = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(`${request.url ?? ''} ${Buffer.concat(parts).toString('utf8')}`);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const server = collector;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies };
}

const TRACE = continueTrace('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');

test('a span leaves with our own ids, its parent, its link and its app', async () => {
  const { endpoint, bodies } = await openCollector(200);
  const log = createLog({ app: 'api', level: 'silent' });
  const end = await startTraceExport({ endpoint, sampleRatio: 1, app: 'api', release: 'r-1', log });
  const link = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  const attributes = { 'http.response.status_code': 503 };
  endSpan(
    { name: 'HTTP createOrder', kind: 'server', links: [link] },
    { trace: TRACE, startedAtMs: performance.now() - 20 },
    { attributes, hasFailed: true },
  );
  await end();
  expect(isTracing()).toBe(false);
  const [target, body = ''] = bodies.join('').split(/(?<=^\S+) /);
  expect(target).toBe('/v1/traces');
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: [{ resource: { attributes: unknown[] }; scopeSpans: [{ spans: [Record<string, unknown>] }] }];
  };
  const [{ resource, scopeSpans }] = resourceSpans;
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'api' } });
  expect(resource.attributes).toContainEqual({ key: 'service.version', value: { stringValue: 'r-1' } });
  const [span] = scopeSpans[0].spans;
  expect(span).toMatchObject({
    ...{ traceId: TRACE.traceId, spanId: TRACE.spanId, parentSpanId: '00f067aa0ba902b7' },
    ...{ name: 'HTTP createOrder', kind: 2, status: { code: 2 } },
    links: [link],
    attributes: [{ key: 'http.response.status_code', value: { intValue: 503 } }],
  });
  const tookNs = BigInt(String(span['endTimeUnixNano'])) - BigInt(String(span['startTimeUnixNano']));
  expect(tookNs).toBeGreaterThanOrEqual(19_000_000n);
});

test('a collector that refuses is one line of the log, and the work continues', async () => {
  const { endpoint } = await openCollector(400);
  const lines: string[] = [];
  const log = createLog({ app: 'api', level: 'info', write: (line) => lines.push(line) });
  const end = await startTraceExport({ endpoint, sampleRatio: 1, app: 'api', release: 'r-1', log });
  for (let span = 0; span < 3; span += 1)
    endSpan({ name: 'x', kind: 'server' }, { trace: TRACE, startedAtMs: performance.now() });
  await end();
  expect(lines.filter((line) => line.includes('"event":"traces.not_exported"'))).toHaveLength(1);
});
