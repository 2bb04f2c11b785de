import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { defineToken, listTokens, provide } from './provide.js';

/** A class of a package that is free of Nest. */
class Greeter {
  constructor(private readonly parts: { readonly greeting: string; readonly clock: Clock }) {}

  greet(): string {
    return `${this.parts.greeting} at ${this.parts.clock.hour}`;
  }
}

class Clock {
  readonly hour = 7;
}

const GREETING = defineToken<string>('GREETING');

const PROVIDERS = [
  provide(GREETING, {}, () => 'good morning'),
  provide(Clock, {}, () => new Clock()),
  provide(Greeter, { greeting: GREETING, clock: Clock }, (parts) => new Greeter(parts)),
];

@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
class GreeterModule {}

const open = (module: new () => object) =>
  NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });

test('a plain class receives its dependencies by name', async () => {
  const app = await open(GreeterModule);
  expect(app.get(Greeter).greet()).toBe('good morning at 7');
  expect(app.get(GREETING)).toBe('good morning');
  await app.close();
});

test('a dependency that no module provides ends the start and is named', async () => {
  @Module({ providers: PROVIDERS.filter(({ provide: token }) => token !== Clock) })
  class IncompleteModule {}
  await expect(open(IncompleteModule)).rejects.toThrow('Clock');
});
