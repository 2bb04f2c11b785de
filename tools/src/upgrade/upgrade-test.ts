import { requireValue } from '@pos/core/refusals';
import { readReleases } from '@pos/store/testing';
import { KillableDatabase } from '../faults/database-killed.js';
import { startRestartedServer } from '../faults/failing-server.js';
import { REPOSITORY } from '../repository/repository.js';
import { buildRelease, type ReleaseBuild } from './release-build.js';
import { findReleaseCommit } from './release-commit.js';
import { RollingUpgrade } from './rolling-upgrade.js';

const ORDERS = 20;
const DIRECTIONS = ['update', 'return'] as const;

/**
 * Runs the last release and this one side by side on one database during payments, in both orders: an update, and the
 * return from it; or the one that is named. Resolves to the number of requests that were lost, executed twice or answered with an internal error.
 */
async function testUpgrade(only: string): Promise<number> {
  const release = requireValue(readReleases().at(-1), 'a release');
  const { commit, origin } = findReleaseCommit(release, REPOSITORY);
  console.log(`building ${release.version} from ${commit.slice(0, 8)}, ${origin}, beside the working tree`);
  const build = await buildRelease(commit);
  try {
    let failures = 0;
    for (const direction of DIRECTIONS.filter((each) => each.includes(only)))
      failures += await rollOver(build, direction);
    return failures;
  } finally {
    await build.remove();
  }
}

async function rollOver(build: ReleaseBuild, direction: (typeof DIRECTIONS)[number]): Promise<number> {
  const upgrade = new RollingUpgrade(build, direction);
  console.log(upgrade.describe());
  const service = await KillableDatabase.open(startRestartedServer, upgrade.worldOptions);
  try {
    await service.change({ orders: ORDERS, changes: (world) => upgrade.listChanges(world), replacesVault: true });
    const faults = await service.faults();
    console.log(
      faults.length === 0 ? `  held    ${service.failedCount} answers were repeated` : `  FAILED  ${faults.join('\n')}`,
    );
    return faults.length;
  } finally {
    await service.remove();
  }
}

process.exitCode = (await testUpgrade(process.argv[2] ?? '')) === 0 ? 0 : 1;
