import { expect, test } from '@jest/globals';
import { listSecretSettings, readConfig } from '@pos/service-kit/config';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSettingsSchemas } from '../docs/configuration.js';
import { CHART_APPS } from '../helm/app-settings.js';
import { REPOSITORY } from '../repository/repository.js';
import { renderEnvironmentSamples } from './environment-samples.js';

const FOLDER = path.join(REPOSITORY, 'deploy/systemd/environment');
const SECRET_VALUES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://service_app:secret@127.0.0.1/pos?sslmode=disable',
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  VAULT_KEYS: `one:${Buffer.alloc(32, 1).toString('base64')}`,
};
const LONG_SECRET = 'a-secret-of-forty-characters-is-long-enough';

/** The variables of an environment file of systemd. */
function parseEnvironment(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

test.each(CHART_APPS)('the sample of %s is made from its schema', async (app) => {
  const sample = (await renderEnvironmentSamples()).get(app) ?? '';
  const file = path.join(FOLDER, `${app}.env`);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, sample);
  }
  expect(readFileSync(file, 'utf8')).toBe(sample);
});

test.each(CHART_APPS)('%s starts in production with its sample and files for its secrets', async (app) => {
  const schema = (await loadSettingsSchemas()).get(app)!;
  const secrets = mkdtempSync(path.join(tmpdir(), 'samples-'));
  const environment = Object.entries(parseEnvironment(readFileSync(path.join(FOLDER, `${app}.env`), 'utf8')));
  const settings = environment.map(([name, value]): [string, string] => {
    const secret = listSecretSettings(schema).find((each) => name === `${each}_FILE`);
    if (secret === undefined) return [name, value];
    writeFileSync(path.join(secrets, secret), SECRET_VALUES[secret] ?? LONG_SECRET);
    return [name, path.join(secrets, secret)];
  });
  try {
    readConfig(schema, { NODE_ENV: 'production', ...Object.fromEntries(settings) });
    // Each line without # is needed, or set by most.
    const others = Object.fromEntries(
      settings.filter(([name]) => name !== 'DATABASE_URL_FILE' && name !== 'API_BASE_URL'),
    );
    expect(() => readConfig(schema, { NODE_ENV: 'production', ...others })).toThrow(/cannot start/);
  } finally {
    rmSync(secrets, { recursive: true });
  }
});

test('each process of one machine has a health port of its own', async () => {
  const samples = [...(await renderEnvironmentSamples()).values()].map((text) => parseEnvironment(text)['HEALTH_PORT']);
  expect(new Set(samples).size).toBe(CHART_APPS.length);
});

test('the target of systemd starts and stops every app that is enabled', () => {
  const unit = readFileSync(path.join(REPOSITORY, 'deploy/systemd/pos@.service'), 'utf8');
  expect(unit).toMatch(/^PartOf=pos\.target$/m);
  expect(unit).toMatch(/^WantedBy=pos\.target$/m);
  expect(readFileSync(path.join(REPOSITORY, 'deploy/systemd/pos.target'), 'utf8')).toMatch(
    /^WantedBy=multi-user\.target$/m,
  );
});
