import 'reflect-metadata';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Injectable, Module, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { databaseSettings, nodeEnvSetting, readConfig } from '@pos/service-kit/config';
import { SettingsModule } from '@pos/service-kit/nest';
import { createLog } from '@pos/service-kit/telemetry';
import { Database } from '@pos/store/database';
import { connectDatabase } from '@pos/store/startup';
import { createTestDatabase, TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { z } from 'zod';
import { buildDatabaseOptions, DatabaseModule, DatabaseReadiness } from './database-module.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const phases: string[] = [];

/** Work that needs the database until its last moment. */
@Injectable()
class Worker implements OnModuleDestroy, OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  async onModuleDestroy(): Promise<void> {
    await this.database.checkReady();
    phases.push('work ended with the database');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.checkReady();
    phases.push('clients closed with the database');
  }
}

@Module({ providers: [Worker] })
class WorkModule {}

function createConfig(): object {
  return readConfig(z.object(databaseSettings('service_app')), {
    DATABASE_URL: testDatabase.url,
    ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
    KEY_PEPPER: TEST_SECRETS.pepper,
  });
}

test('the database closes after everything that uses it has stopped', async () => {
  const settings = SettingsModule.forRoot(createConfig(), createLog({ app: 'test', level: 'silent' }));
  const database = DatabaseModule.forRoot(() => ({ applicationName: 'test', poolMax: 2 }));
  @Module({ imports: [WorkModule, settings, database] })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  await app.get(DatabaseReadiness).check();
  await app.close();
  expect(phases).toEqual(['work ended with the database', 'clients closed with the database']);
  await expect(app.get(DatabaseReadiness).check()).rejects.toThrow();
});

const AppSettings = z.object({ ...databaseSettings('service_app'), NODE_ENV: nodeEnvSetting() });

test.each([
  ['production', {}, true],
  ['a process without NODE_ENV', { NODE_ENV: '' }, true],
  ['production behind a network that verifies', { DATABASE_TLS_BY_NETWORK: 'true' }, false],
  ['development', { NODE_ENV: 'development' }, false],
])('in %s a database off loopback without verify-full is refused: %#', async (_, env, isRefused) => {
  const config = readConfig(AppSettings, {
    // Nothing listens there.
    ...{ DATABASE_URL: 'postgres://service_app:hunter2@0.0.0.0:1/pos?sslmode=require', NODE_ENV: 'production' },
    ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
    ...{ KEY_PEPPER: TEST_SECRETS.pepper, ...env },
  });
  const connecting = connectDatabase(buildDatabaseOptions(config, { applicationName: 'test', poolMax: 1 }));
  await expect(connecting).rejects.toThrow(isRefused ? 'sslmode: must be verify-full' : 'does not answer');
});
