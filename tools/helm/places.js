// Where the tests find helm: the named one, the system's, or the fetched one. Plain JavaScript without packages, because
// `npm test` calls it before the build.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { getProgramFolder } from '../pinned-program.js';

/** The version whose renderings the goldens have. */
export const HELM_VERSION = 'v4.1.4';
const FETCHED_HELM = path.join(getProgramFolder(import.meta.dirname), 'helm');

/** The path of helm; null when this machine has none of that version. Throws when `HELM` names a file that does not exist. */
export function findHelm({ HELM: named = '', PATH = '' }) {
  if (named !== '' && !existsSync(named)) throw new Error(`HELM names ${named}, which does not exist`);
  const places =
    named === '' ? [...PATH.split(path.delimiter).map((folder) => path.join(folder, 'helm')), FETCHED_HELM] : [named];
  return places.find((place) => existsSync(place) && isKnownVersion(place)) ?? null;
}

function isKnownVersion(helm) {
  const { stdout } = spawnSync(helm, ['version', '--template', '{{.Version}}'], { encoding: 'utf8' });
  return stdout?.trim() === HELM_VERSION;
}
