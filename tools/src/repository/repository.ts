import { fileURLToPath } from 'node:url';

/** The folder of the repository: two above this file, both as a source and as built. */
export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
