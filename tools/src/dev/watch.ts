import { setMaxListeners } from 'node:events';
import { banner } from './banner.js';
import { wishedWorld } from './dev-settings.js';
import { runInForeground } from './foreground.js';
import { loadedBy, rebuild } from './rebuild.js';
import { watchSources } from './source-watch.js';
import type { World } from './world.js';
import { WORLD_APPS, type WorldAppName } from './world-apps.js';

// `pnpm turbo dev`: the world of `npm start`, in which a saved file reaches the apps that load it.

await runInForeground(wishedWorld(process.env), {
  onReady: ({ world, devJson, signal }) => {
    setMaxListeners(0, signal);
    follow(world, signal);
    return `${banner(devJson, world.accounts[0]?.tradingName ?? 'a restaurant')}
  Sources are watched: an app is restarted when something that it loads was rebuilt.
`;
  },
});

function follow(world: World, signal: AbortSignal): void {
  const running = new Map<string, string>();
  const known = Promise.all(world.apps.map(async ({ name }) => running.set(name, await loadedBy(folderOf(name)))));
  const update = async (): Promise<void> => {
    await known;
    say('building');
    const build = await rebuild(signal);
    signal.throwIfAborted();
    if (!build.isFine) {
      say(`${build.said}\n  Not built; the apps go on as they were.`);
      return;
    }
    const stale: [string, string][] = [];
    for (const { name } of world.apps) {
      const loaded = await loadedBy(folderOf(name));
      if (loaded !== running.get(name)) stale.push([name, loaded]);
    }
    if (stale.length > 0) await world.migrate();
    for (const [name, loaded] of stale) {
      signal.throwIfAborted();
      const app = world.app(name);
      running.set(name, loaded);
      await app.stop();
      signal.throwIfAborted();
      app.start();
    }
    await Promise.all(stale.map(([name]) => world.app(name).untilReady(signal)));
    say(
      stale.length === 0 ? 'built; no app loads what changed' : `restarted ${stale.map(([name]) => name).join(', ')}`,
    );
  };
  void watchSources(() => update().catch((error: unknown) => sayUnless(signal, error)), { signal });
}

function folderOf(name: string): string {
  return WORLD_APPS[name as WorldAppName].folder;
}

function sayUnless(signal: AbortSignal, error: unknown): void {
  if (!signal.aborted) say(error instanceof Error ? error.message : String(error));
}

function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}
