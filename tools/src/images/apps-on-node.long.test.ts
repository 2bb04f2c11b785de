import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chooseScratchFolder } from '@pos/dev-database';
import { REPOSITORY } from '../repository/repository.js';
import { inspectRuntimeFolder } from './folder-inspection.js';
import { type ImageNode, provideImageNode } from './image-node.js';
import { LoneApps } from './lone-app-settings.js';
import { IMAGE_USER } from '../substitutes/machine-base.js';
import { type RunningProcess, startInFolder } from '../processes/running-process.js';
import { COMMAND_APPS, IMAGE_APPS, makeRuntimeFolder } from './runtime-folder.js';

const MINUTE = 60_000;
const HEALTH_CHECK = ['node', path.join(REPOSITORY, 'deploy/docker/health-check.js')];
const SERVICES = IMAGE_APPS.filter((app) => !COMMAND_APPS.includes(app));
const WITHOUT_DATABASE = ['checkout', 'sandbox'];

/** The app with pages and a native library represents the others. */
const FOLDER_APP = 'portal';
const SCRATCH_BYTES_MAX = 1_000_000_000;
const WAITING_APPS = SERVICES.filter((app) => !WITHOUT_DATABASE.includes(app));

let scratch: string;
let node: ImageNode;
let apps: LoneApps;

beforeAll(async () => {
  scratch = mkdtempSync(path.join(chooseScratchFolder(SCRATCH_BYTES_MAX), 'apps-on-node-'));
  chmodSync(scratch, 0o755);
  node = await provideImageNode();
  process.stdout.write(`the apps run on Node ${node.version} from ${node.origin}\n`);
  apps = await LoneApps.open();
}, 3 * MINUTE);
afterAll(async () => {
  await apps.close();
  rmSync(scratch, { recursive: true, force: true });
}, MINUTE);

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
    const ends = await Promise.all(
      WAITING_APPS.map(async (app) => {
        const settings = await apps.settings(app);
        const started = start(app, { ...settings, DATABASE_URL: 'postgres://service_app:secret@127.0.0.1:1/pos' });
        for (let looks = 0; looks < 300 && !started.output.includes('"database.awaited"'); looks += 1) await pause(100);
        return [app, started.output.includes('"database.awaited"'), await started.stop()];
      }),
    );
    expect(ends).toEqual(WAITING_APPS.map((app) => [app, true, 0]));
  },
  2 * MINUTE,
);

test(
  'an app starts from its folder alone, as a user without rights, and stops on SIGTERM',
  async () => {
    const folder = path.join(scratch, FOLDER_APP);
    makeRuntimeFolder(FOLDER_APP, folder);
    const before = inspectRuntimeFolder(folder);
    const env = { ...(await apps.settings(FOLDER_APP)), HOME: mkdtempSync(path.join(scratch, 'home-')) };
    const app = startInFolder({ folder, env, user: IMAGE_USER });
    await untilHealthyOrStopped(app);
    expect([await app.stop(), app.output]).toEqual([0, expect.stringContaining('"process.started"')]);
    // It wrote nothing there. Started by root, it also may not.
    expect(inspectRuntimeFolder(folder)).toEqual(before);
  },
  2 * MINUTE,
);

function start(app: string, env: Readonly<Record<string, string>>): RunningProcess {
  const folder = path.join(REPOSITORY, 'apps', app);
  return startInFolder({ folder, program: 'bundle/main.js', env, node: node.program });
}

async function untilHealthyOrStopped(app: RunningProcess): Promise<void> {
  try {
    await app.untilHealthy(['node', 'health-check.js']);
  } catch (error) {
    await app.stop();
    throw error;
  }
}
