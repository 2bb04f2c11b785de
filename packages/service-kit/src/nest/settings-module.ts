import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Log } from '../telemetry/log.js';
import { defineToken } from './provide.js';

/** The settings of the app, which it reads and checks before Nest starts. Each app has a type of its own for them. */
export const CONFIG = defineToken<never>('CONFIG');
/** The log of the process. */
export const LOG = defineToken<Log>('LOG');

/** What every provider of an app may ask for: its settings and its log. */
@Global()
@Module({})
export class SettingsModule {
  static forRoot(config: object, log: Log): DynamicModule {
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: LOG, useValue: log },
    ];
    return { module: SettingsModule, providers, exports: [CONFIG, LOG] };
  }
}
