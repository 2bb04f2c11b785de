import { readFileSync } from 'node:fs';

/** The version of this package; all apps and packages of a release have the same one. */
let version: string | undefined;

/** The label of the running release: the setting `RELEASE`, or the version of the app. */
export function readProductVersion({ RELEASE }: { readonly RELEASE?: string | undefined } = {}): string {
  if (RELEASE !== undefined) return RELEASE;
  version ??= readVersion();
  return version;
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  if (
    typeof manifest === 'object' &&
    manifest !== null &&
    'version' in manifest &&
    typeof manifest.version === 'string'
  )
    return manifest.version;
  throw new Error('the package has no version');
}
