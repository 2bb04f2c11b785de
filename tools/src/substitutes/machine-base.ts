import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The user that images run as. */
export const IMAGE_USER = 65_532;

const PASSWD = `root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:${IMAGE_USER}:${IMAGE_USER}:nonroot:/nonexistent:/sbin/nologin\n`;
const GROUP = `root:x:0:\nnonroot:x:${IMAGE_USER}:\n`;
/** What the scripts of our packages and npm call. */
const SHELL_PROGRAMS = [
  ...['sh', 'bash', 'env', 'cat', 'cp', 'ln', 'ls', 'mkdir', 'mv', 'rm', 'sed', 'grep'],
  ...['basename', 'dirname', 'readlink', 'tr', 'uname', 'chmod', 'head', 'cut', 'sort', 'which'],
];
/** What every base with a C library has: native modules and downloaded programs load it, and it looks names up. */
const BASE_LIBRARIES = [
  ...['librt.so.1', 'libutil.so.1', 'libpthread.so.0', 'libdl.so.2', 'libm.so.6'],
  ...['libresolv.so.2', 'libnss_dns.so.2', 'libnss_files.so.2', 'libgcc_s.so.1', 'libstdc++.so.6'],
];
const LIBRARY = /(?:=> )?(\/\S+\.so\S*) \(/g;
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** The settings of a builder on this machine: npm and pnpm trust the authorities that the machine trusts. */
export const BUILDER_SETTINGS: Readonly<Record<string, string>> = existsSync(CERTIFICATES)
  ? { NODE_EXTRA_CA_CERTS: CERTIFICATES, npm_config_cafile: CERTIFICATES }
  : {};

/**
 * Makes the files of a small base image: a Node, the libraries of this machine that it loads, and no shell. Images of
 * releases begin with an image of a registry instead.
 */
export function makeRuntimeBase(folder: string, node: string): void {
  addProgram(folder, realpathSync(node), '/usr/local/bin/node');
  const libc = listLibraries(realpathSync(process.execPath)).find((file) => path.basename(file).startsWith('libc.so'));
  for (const name of BASE_LIBRARIES) addLibrary(folder, path.join(path.dirname(libc ?? ''), name));
  mkdirSync(path.join(folder, 'etc'), { recursive: true });
  writeFileSync(path.join(folder, 'etc/passwd'), PASSWD);
  writeFileSync(path.join(folder, 'etc/group'), GROUP);
  mkdirSync(path.join(folder, 'tmp'));
  chmodSync(path.join(folder, 'tmp'), 0o1777);
}

/** The same with a shell and the programs that scripts call. */
export function makeShellBase(folder: string, node: string): void {
  makeRuntimeBase(folder, node);
  for (const name of SHELL_PROGRAMS) addProgram(folder, findProgram(name), `/usr/bin/${name}`);
  mkdirSync(path.join(folder, 'bin'), { recursive: true });
  symlinkSync('../usr/bin/sh', path.join(folder, 'bin/sh'));
}

/** The same with npm, for a build of the workspace. */
export function makeBuilderBase(folder: string, node: string): void {
  makeShellBase(folder, node);
  const npm = path.dirname(path.dirname(realpathSync(findProgram('npm'))));
  cpSync(npm, path.join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  for (const name of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(folder, 'usr/local/bin', name));
  }
  if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, path.join(folder, CERTIFICATES));
  mkdirSync(path.join(folder, 'root'));
}

/** Copies a program and the libraries that it loads. */
function addProgram(folder: string, file: string, as: string): void {
  cpSync(file, path.join(folder, as), { dereference: true });
  for (const library of listLibraries(file)) addLibrary(folder, library);
}

function listLibraries(file: string): string[] {
  const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8' });
  return [...stdout.matchAll(LIBRARY)].map(([, library = '']) => library);
}

function addLibrary(folder: string, library: string): void {
  const copy = path.join(folder, library);
  if (existsSync(library) && !existsSync(copy)) cpSync(realpathSync(library), copy);
}

function findProgram(name: string): string {
  const folders = `${process.env['PATH'] ?? ''}:/usr/bin:/bin`.split(':');
  const found = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`this machine has no program ${name}`);
  return realpathSync(found);
}
