import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { installPeer } from './peer-packages.js';

let parent = '';
const { PATH } = process.env;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'peers-'));
});

afterEach(() => {
  process.env['PATH'] = PATH;
  rmSync(parent, { recursive: true });
});

/** A package on this disk, which npm installs without a network. */
function writePackage(name: string): string {
  const folder = path.join(parent, 'published', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
  return `file:${folder}`;
}

const removeNpm = (): void => {
  process.env['PATH'] = path.join(parent, 'no-programs');
};

test('a peer is installed once, and again where its folder is incomplete or has other packages', async () => {
  const peer = { name: 'vendure', version: '1.0.0', dependencies: { shop: writePackage('shop') } } as const;
  const folder = path.join(parent, 'vendure-1.0.0');
  expect(await installPeer(peer, parent)).toEqual({ folder });
  expect(readdirSync(folder).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json']);
  expect(readdirSync(path.join(folder, 'node_modules'))).toContain('shop');
  removeNpm();
  expect(await installPeer(peer, parent)).toEqual({ folder });
  const withoutNpm = { reason: 'npm cannot install vendure 1.0.0: npm does not run (spawn npm ENOENT)' };
  const changed = { ...peer, dependencies: { ...peer.dependencies, driver: '1.0.0' } };
  expect(await installPeer(changed, parent)).toEqual(withoutNpm);
  expect(await installPeer(changed, parent)).toEqual(withoutNpm);
  expect(await installPeer(peer, parent)).toEqual(withoutNpm);
});

test('an installation that was interrupted is not used', async () => {
  const peer = { name: 'vendure', version: '1.0.0', dependencies: {} } as const;
  removeNpm();
  await installPeer(peer, parent);
  mkdirSync(path.join(parent, 'vendure-1.0.0/node_modules'));
  expect(await installPeer(peer, parent)).toEqual({ reason: expect.stringContaining('npm cannot install vendure') });
});

test('a failed installation gives the reason of npm, and installs nothing', async () => {
  const dependencies = { shop: `file:${path.join(parent, 'nowhere.tgz')}` };
  const peer = { name: 'vendure', version: '1.0.0', dependencies } as const;
  const failed = { reason: expect.stringMatching(/^npm cannot install vendure 1\.0\.0: .*nowhere\.tgz/) };
  expect(await installPeer(peer, parent)).toEqual(failed);
  expect(existsSync(path.join(parent, 'vendure-1.0.0/node_modules/shop'))).toBe(false);
});
