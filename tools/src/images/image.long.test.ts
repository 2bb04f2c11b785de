import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { chooseScratchFolder } from '@pos/dev-database';
import { Buildah, findImageObstacle } from '../substitutes/buildah.js';
import { provideImageNode } from './image-node.js';
import { testImage } from './image-test.js';
import { LoneApps } from './lone-app-settings.js';
import { IMAGE_USER, makeRuntimeBase } from '../substitutes/machine-base.js';
import { makeRuntimeFolder } from './runtime-folder.js';

const MINUTE = 60_000;
const SCRATCH_BYTES_MAX = 1_000_000_000;
/** `pnpm images` tests all apps; here the one with pages and a native library represents them. */
const APP = 'portal';

let scratch: string;
let folder: string;
let apps: LoneApps;

beforeAll(async () => {
  scratch = mkdtempSync(path.join(chooseScratchFolder(SCRATCH_BYTES_MAX), 'image-'));
  chmodSync(scratch, 0o755);
  folder = path.join(scratch, APP);
  makeRuntimeFolder(APP, folder);
  apps = await LoneApps.open();
}, 3 * MINUTE);

afterAll(async () => {
  await apps.close();
  rmSync(scratch, { recursive: true, force: true });
}, MINUTE);

const obstacle = findImageObstacle();
if (obstacle !== null) {
  test(`NOT RUN: images: ${obstacle}`, () => expect(obstacle).not.toBe(''));
} else {
  test(
    'an image of the folder is labelled, and runs read-only without a shell as a user without rights',
    async () => {
      const base = mkdtempSync(path.join(scratch, 'base-'));
      const node = await provideImageNode();
      process.stdout.write(`the image of ${APP} runs Node ${node.version} from ${node.origin}\n`);
      makeRuntimeBase(base, node.program);
      const release = '9.9.9-test';
      const buildah = new Buildah();
      try {
        const args = { RUNTIME: buildah.makeBase('runtime', base), RELEASE: release };
        buildah.build({ app: APP, target: 'service', tag: APP, args, folder });
        expect(buildah.describe(APP)).toMatchObject({
          user: `${IMAGE_USER}:${IMAGE_USER}`,
          entrypoint: ['node', 'dist/main.js'],
          labels: { 'org.opencontainers.image.title': `pos-${APP}`, 'org.opencontainers.image.version': release },
          env: { NODE_ENV: 'production', RELEASE: release, HEALTH_PORT: '9464' },
          healthCheck: ['node', 'health-check.js'],
        });
        const { findings } = await testImage(APP, { tool: buildah, apps, release });
        expect(findings).toEqual([]);
      } finally {
        buildah.remove();
      }
    },
    3 * MINUTE,
  );
}
