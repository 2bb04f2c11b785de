// Makes `dist/publish`, the package of the contracts as partners get it: the public services only, with types, the
// `.proto` files and a descriptor image. `pnpm pack` runs it first and packs that folder. Plain JavaScript, because it is
// part of no build.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const HERE = import.meta.dirname;
const ROOT = path.join(HERE, '../..');
const OUT = path.join(HERE, 'dist/publish');
/** The services that partners call or implement; an acquirer's adapter implements the last one. */
const PUBLIC_SERVICES = ['tables', 'gateway', 'card_machine', 'acquirer'];
/** Contracts between our own processes, and what only they import. */
const INTERNAL_EXPORTS = ['./card-vault', './gateway-internal', './grpc-server', './not-sent', './message-values'];
const IMPORT = /(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
const SOURCE_MAP_NOTE = /^\/\/# sourceMappingURL=.*\n?/m;

const manifest = JSON.parse(readFileSync(path.join(HERE, 'package.json'), 'utf8'));
const exported = Object.entries(manifest.exports).filter(([name]) => !INTERNAL_EXPORTS.includes(name));

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const entries = exported.flatMap(([, target]) => (typeof target === 'string' ? [] : [target.types, target.default]));
for (const file of listReachable(entries)) copyCode(file);
for (const service of PUBLIC_SERVICES) {
  cpSync(path.join(ROOT, 'proto/service', service), path.join(OUT, 'proto/service', service), { recursive: true });
}
for (const name of ['README.md', 'LICENSE', 'examples'])
  cpSync(path.join(HERE, name), path.join(OUT, name), { recursive: true });
const paths = PUBLIC_SERVICES.flatMap((service) => ['--path', `proto/service/${service}`]);
const buf = path.join(HERE, 'node_modules/.bin/buf');
execFileSync(buf, ['build', '--as-file-descriptor-set', ...paths, '-o', path.join(OUT, 'descriptor.binpb')], {
  cwd: ROOT,
});
writeFileSync(path.join(OUT, 'package.json'), `${JSON.stringify(publicManifest(), null, 2)}\n`);

/** The compiled files and types that the entries import, themselves included. */
function listReachable(entries) {
  const found = new Set();
  const waiting = entries.map((entry) => path.normalize(entry));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    if (file.endsWith('.js')) waiting.push(file.replace(/\.js$/, '.d.ts'));
    for (const [, specifier] of readFileSync(path.join(HERE, file), 'utf8').matchAll(IMPORT)) {
      const imported = path.join(path.dirname(file), specifier);
      // The types of a file import those of another.
      waiting.push(file.endsWith('.d.ts') ? imported.replace(/\.js$/, '.d.ts') : imported);
    }
  }
  const internal = [...found].find((file) => /card_vault|gateway_internal/.test(file));
  if (internal !== undefined) throw new Error(`${internal} is internal, and a public module imports it`);
  return found;
}

/** Maps are left out: they name sources that the package does not have. */
function copyCode(file) {
  const target = path.join(OUT, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, readFileSync(path.join(HERE, file), 'utf8').replace(SOURCE_MAP_NOTE, ''));
}

function publicManifest() {
  const { name, version, description, type, license, engines, repository } = manifest;
  const dependencies = Object.keys(manifest.dependencies).map((each) => [each, `^${installedVersion(each)}`]);
  return {
    ...{ name, version, description, type, license, engines, repository },
    files: ['dist', 'proto', 'examples', 'descriptor.binpb'],
    sideEffects: false,
    exports: Object.fromEntries(exported),
    dependencies: Object.fromEntries(dependencies),
  };
}

function installedVersion(name) {
  const file = path.join(HERE, 'node_modules', name, 'package.json');
  if (!existsSync(file)) throw new Error(`${name} is not installed`);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
