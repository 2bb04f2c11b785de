import { spawnSync } from 'node:child_process';
import type { Release } from '@pos/store/testing';

/** The commit that a release is built from. */
export interface ReleaseCommit {
  readonly commit: string;
  /** How the commit was found, for the report of the run. */
  readonly origin: string;
}

const RECORD = 'packages/store/migrations/releases.json';

/**
 * Finds the commit of a release in a checkout: the one in its record, its tag, or, for a release without a tag, the
 * last commit that recorded its migrations. Throws when the checkout has none of them.
 */
export function findReleaseCommit({ version, commit }: Release, checkout: string): ReleaseCommit {
  const git = (...args: readonly string[]): string => runGit(checkout, args);
  if (commit !== null) return { commit, origin: 'the commit of its record' };
  for (const tag of [`v${version}`, version]) {
    const tagged = git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`);
    if (tagged !== '') return { commit: tagged, origin: `its tag ${tag}` };
  }
  const recorded = git('log', '-1', '--format=%H', '--', RECORD);
  if (recorded === '' || readVersion(git('show', `${recorded}:package.json`)) !== version) {
    throw new Error(
      `${version} has no tag, and the history of this checkout has no commit that recorded it in ${RECORD}: fetch the whole history, or set the commit in the record`,
    );
  }
  return { commit: recorded, origin: `the last commit that recorded its migrations, because it has no tag yet` };
}

/** The output of a command of git; empty if the command fails. */
function runGit(checkout: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', args, { cwd: checkout, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

function readVersion(manifest: string): unknown {
  return manifest === '' ? undefined : (JSON.parse(manifest) as { readonly version?: unknown }).version;
}
