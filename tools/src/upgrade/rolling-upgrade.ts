import { existsSync } from 'node:fs';
import type { WorldOptions, DevWorld } from '../dev/world.js';
import { getProgram } from '../dev/places.js';
import { WORLD_APPS, type WorldAppName } from '../dev/world-apps.js';
import type { ReleaseBuild } from './release-build.js';

/** The simulated outside world is no part of the service, so it stays at this release. */
const OUTSIDE: readonly WorldAppName[] = ['sandbox'];

/**
 * The update of the service from the last release to this one, or the return from it after an update: the schema stays
 * the new one, and the processes become those of the last release again.
 */
export class RollingUpgrade {
  constructor(
    private readonly build: ReleaseBuild,
    private readonly direction: 'update' | 'return',
  ) {}

  describe(): string {
    return this.direction === 'update'
      ? '\nthe schema, then each process, is updated during payments'
      : '\neach process returns to the last release during payments, on the schema of this one';
  }

  /** How the service starts: before the update, or after it. */
  get worldOptions(): Pick<WorldOptions, 'appsRoot' | 'migrations' | 'count'> {
    const count = { api: 2, 'webhook-worker': 2, 'pay-at-table-gateway': 2, ...this.#leaveOutNewApps() };
    return this.direction === 'update'
      ? { count, appsRoot: this.build.root, migrations: this.build.migrations }
      : { count };
  }

  /** Apps that the last release does not have: there is nothing to update, and nothing to return to. */
  #leaveOutNewApps(): NonNullable<WorldOptions['count']> {
    const names = Object.keys(WORLD_APPS) as WorldAppName[];
    return Object.fromEntries(names.filter((app) => !existsSync(this.#getOldProgram(app))).map((app) => [app, 0]));
  }

  #getOldProgram(app: WorldAppName): string {
    return getProgram(app, 'bundle', this.build.root);
  }

  /** First the schema, then each process: it drains, and its successor is ready before the next one follows. */
  listChanges(world: DevWorld): (() => Promise<void>)[] {
    const processes = world.apps.filter(({ name }) => !OUTSIDE.includes(appOf(name)));
    const replacements = processes.map((app) => async () => {
      await app.stop();
      const name = appOf(app.name);
      app.useEntry(this.direction === 'update' ? getProgram(name, 'bundle') : this.#getOldProgram(name));
      app.start();
      await app.untilReady();
    });
    return this.direction === 'update' ? [() => world.migrate(), ...replacements] : replacements;
  }
}

/** `api-2` is an `api`. */
function appOf(name: string): WorldAppName {
  const names = Object.keys(WORLD_APPS) as WorldAppName[];
  const app = names.find((each) => name === each || name.startsWith(`${each}-`));
  if (app === undefined) throw new Error(`${name} is no app`);
  return app;
}
