import path from 'node:path';
import type { Plugin } from 'vite';
import { readGuides } from './guides.js';
import { createReferenceFiles } from './reference-files.js';

/** The module that names the index of each release. */
const MODULE = 'virtual:reference-indexes';

/**
 * Writes the reference as files of the page (ADR 0103). Scripts contain only the addresses of the indexes, so a reader
 * loads the release and the operation that they look at.
 */
export function createReferencePlugin(): Plugin {
  let repository = '';
  return {
    name: 'reference',
    configResolved({ root }) {
      repository = path.resolve(root, '../../../..');
    },
    resolveId(id) {
      return id === MODULE ? `\0${MODULE}` : null;
    },
    load(id) {
      if (id !== `\0${MODULE}`) return null;
      for (const { page } of readGuides(repository)) this.addWatchFile(path.join(repository, page));
      const { files, indexes } = createReferenceFiles(repository);
      for (const [name, source] of files) this.emitFile({ type: 'asset', fileName: `assets/${name}`, source });
      return `export const INDEXES = ${JSON.stringify(indexes)};`;
    },
  };
}
