import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '../../repository/repository.js';
import type { PublishedPeer } from './peer.js';

/** What is installed for a peer. */
export type PeerPackages = Pick<PublishedPeer, 'name' | 'version' | 'dependencies'>;

/** The folder that the packages of peers are installed in: beside the rows of `npm start`, so outside of the sources. */
export const PEERS_FOLDER = path.resolve(REPOSITORY, process.env['DATA_DIR'] ?? '.data', 'peers');

/** A folder with the packages of a peer, or the reason why there is none. */
export type Installation = { readonly folder: string } | { readonly reason: string };

/** Of all packages of one peer, over a slow connection. */
const INSTALL_MS_MAX = 4 * 60_000;

/** npm installs no script of a package: none of the peers needs one. */
const ARGUMENTS = [
  ...['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=1000'],
];

/**
 * Installs the packages of a peer into a folder of its own, with a package.json that has exact versions. A complete
 * installation is used again. The lock file that npm writes is kept, so a repeated installation has the same packages.
 */
export async function installPeer(peer: PeerPackages, parent: string): Promise<Installation> {
  const folder = path.join(parent, `${peer.name}-${peer.version}`);
  const manifestFile = path.join(folder, 'package.json');
  const manifest = `${JSON.stringify(buildManifest(peer), null, 2)}\n`;
  if (existsSync(path.join(folder, COMPLETE)) && (await readFile(manifestFile, 'utf8')) === manifest) return { folder };
  await mkdir(folder, { recursive: true });
  // Else a folder with this package.json, but with the packages of an earlier one, looks complete if npm fails.
  await rm(path.join(folder, COMPLETE), { force: true });
  await writeFile(manifestFile, manifest);
  const reason = await runNpm(folder);
  return reason === null ? { folder } : { reason: `npm cannot install ${peer.name} ${peer.version}: ${reason}` };
}

/** npm writes it last. */
const COMPLETE = 'node_modules/.package-lock.json';

function buildManifest({ name, version, dependencies }: PeerPackages) {
  return { name: `peer-${name}`, version, private: true, dependencies };
}

/** Runs npm in the folder; resolves to the reason of a failure, or to null. */
function runNpm(folder: string): Promise<string | null> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(INSTALL_MS_MAX);
    const npm = spawn('npm', ARGUMENTS, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], signal });
    let output = '';
    npm.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    npm.once('error', ({ message }) => {
      resolve(
        signal.aborted ? `it took longer than ${INSTALL_MS_MAX / 60_000} minutes` : `npm does not run (${message})`,
      );
    });
    npm.once('close', (code) => resolve(code === 0 ? null : findReason(output)));
  });
}

/** The cause in the output of a failed npm: that of the connection if it has one, else its first sentence. */
function findReason(output: string): string {
  const [, connection] = /, reason: (.+)$/m.exec(output) ?? [];
  const [, sentence] = /^npm error (?!code |syscall |errno )(?:[a-z]+ )?(\S.*)$/m.exec(output) ?? [];
  return (connection ?? sentence ?? 'it does not say why').trim();
}
