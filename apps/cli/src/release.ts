import { readFileSync } from 'node:fs';

/** The release in the manifest of this package. */
export const RELEASE = readRelease();

function readRelease(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
