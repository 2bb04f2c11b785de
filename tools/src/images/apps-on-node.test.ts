import { afterAll, beforeAll, expect, test } from '@jest/globals';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { REPOSITORY } from '../repository/repository.js';
import { type ImageNode, provideImageNode } from './image-node.js';
import { LoneApps } from './lone-app-settings.js';
import { type RunningProcess, startInFolder } from './running-process.js';
import { COMMAND_APPS, IMAGE_APPS } from './runtime-folder.js';

const MINUTE = 60_000;
const HEALTH_CHECK = ['node', path.join(REPOSITORY, 'deploy/docker/health-check.js')];
const SERVICES = IMAGE_APPS.filter((app) => !COMMAND_APPS.includes(app));
const WITHOUT_DATABASE = ['checkout', 'sandbox'];

let node: ImageNode;
let apps: LoneApps;

beforeAll(async () => {
  node = await provideImageNode();
  process.stdout.write(`the apps run on Node ${node.version} from ${node.origin}\n`);
  apps = await LoneApps.open();
}, 3 * MINUTE);
afterAll(() => apps.close(), MINUTE);

test(
  'every app starts on the Node of its image, is healthy, warns of nothing, and ends with 0 on SIGTERM',
  async () => {
    const ends = await Promise.all(
      SERVICES.map(async (app) => {
        const started = start(app, await apps.settings(app));
        const health = await started.untilHealthy(HEALTH_CHECK).then(() => 'healthy', String);
        const code = await started.stop();
        return [app, health, code, started.output.split('\n').filter((line) => line.includes('Warning'))];
      }),
    );
    expect(ends).toEqual(SERVICES.map((app) => [app, 'healthy', 0, []]));
  },
  2 * MINUTE,
);

test(
  'an app that waits for its database ends with 0 on SIGTERM',
  async () => {
    const names = SERVICES.filter((app) => !WITHOUT_DATABASE.includes(app));
    const ends = await Promise.all(
      names.map(async (app) => {
        const settings = await apps.settings(app);
        const started = start(app, { ...settings, DATABASE_URL: 'postgres://service_app:secret@127.0.0.1:1/pos' });
        for (let looks = 0; looks < 300 && !started.output.includes('"database.awaited"'); looks += 1) await pause(100);
        return [app, started.output.includes('"database.awaited"'), await started.stop()];
      }),
    );
    expect(ends).toEqual(names.map((app) => [app, true, 0]));
  },
  2 * MINUTE,
);

function start(app: string, env: Readonly<Record<string, string>>): RunningProcess {
  const folder = path.join(REPOSITORY, 'apps', app);
  return startInFolder({ folder, program: 'bundle/main.js', env, node: node.program });
}
