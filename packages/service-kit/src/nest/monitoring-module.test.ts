import 'reflect-metadata';
import { afterEach, expect, test } from '@jest/globals';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from 'selfsigned';
import { createLog } from '../telemetry/log.js';
import { isTracing } from '../telemetry/span.js';
import { MonitoringModule, type MonitoringSettings } from './monitoring-module.js';
import { SettingsModule } from './settings-module.js';

let isDatabaseUp = true;

class DatabaseCheck {
  readonly name = 'database';

  check(): Promise<void> {
    return isDatabaseUp ? Promise.resolve() : Promise.reject(new Error('hunter2'));
  }
}

@Global()
@Module({ providers: [DatabaseCheck], exports: [DatabaseCheck] })
class DatabaseModule {}

@Module({})
class AppModule {
  static forRoot(settings: Partial<MonitoringSettings> & { readonly HTTP_TLS_CERT?: string }): DynamicModule {
    const config = { HEALTH_HOST: '127.0.0.1', OTEL_TRACES_SAMPLER_ARG: 1, CONNECTIONS_PER_ADDRESS: 100, ...settings };
    const log = createLog({ app: 'test', level: 'silent' });
    const monitoring = MonitoringModule.forRoot({ app: 'test', ready: [DatabaseCheck] });
    return { module: AppModule, imports: [DatabaseModule, SettingsModule.forRoot(config, log), monitoring] };
  }
}

let close: () => Promise<void> = () => Promise.resolve();

afterEach(async () => {
  isDatabaseUp = true;
  await close();
});

async function open(
  settings: Partial<MonitoringSettings> & { readonly HTTP_TLS_CERT?: string },
): Promise<readonly string[]> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(settings), {
    logger: false,
    abortOnError: false,
  });
  close = () => app.close();
  return app.get(MonitoringModule).urls;
}

test('a process with HEALTH_PORT serves health with its release, and metrics of itself', async () => {
  const [url = ''] = await open({ HEALTH_PORT: 0, RELEASE: 'r-42' });
  for (const name of ['live', 'ready']) {
    const answer = await fetch(`${url}/health/${name}`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', release: 'r-42' }]);
  }
  const answer = await fetch(`${url}/metrics`);
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain(`pos_build_info{app="test",release="r-42",node="${process.versions.node}"} 1\n`);
  expect(text).toMatch(/^process_resident_memory_bytes [1-9]\d{6,}$/m);
  expect(text).toMatch(/^nodejs_eventloop_delay_seconds\{quantile="0.99"\} \d/m);
  expect(text).toMatch(/^pos_disk_free_bytes [1-9]/m);
  expect(text).toContain('pos_ready{check="database"} 1\n');
});

test('while the database is away, health is 503 and the metrics say so without the reason', async () => {
  const [url = ''] = await open({ HEALTH_PORT: 0 });
  isDatabaseUp = false;
  expect((await fetch(`${url}/health/ready`)).status).toBe(503);
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain('pos_ready{check="database"} 0\n');
  expect(text).not.toContain('hunter2');
});

test('without HEALTH_PORT no port is opened, and without an endpoint no trace is exported', async () => {
  expect(await open({})).toEqual([]);
  expect(isTracing()).toBe(false);
});

test('the end of a certificate follows its file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificates-'));
  const file = path.join(folder, 'certificate.pem');
  const writeCertificate = async (...ends: string[]): Promise<void> => {
    const notBeforeDate = new Date('2026-01-01T00:00:00Z');
    const certificates = await Promise.all(
      ends.map((end) => generate([{ name: 'commonName', value: 'x' }], { notBeforeDate, notAfterDate: new Date(end) })),
    );
    writeFileSync(file, certificates.map(({ cert }) => cert).join('\n'));
  };
  await writeCertificate('2030-01-01T00:00:00Z');
  const [url = ''] = await open({ HEALTH_PORT: 0, HTTP_TLS_CERT: file });
  const readExpiry = async (): Promise<string | undefined> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return /^pos_tls_certificate_expiry_timestamp_seconds\{certificate="HTTP_TLS_CERT"\} (\d+)$/m.exec(text)?.[1];
  };
  expect(await readExpiry()).toBe(String(Date.parse('2030-01-01T00:00:00Z') / 1_000));
  await writeCertificate('2031-01-01T00:00:00Z', '2028-06-01T00:00:00Z');
  expect(await readExpiry()).toBe(String(Date.parse('2028-06-01T00:00:00Z') / 1_000));
  rmSync(folder, { recursive: true });
});
