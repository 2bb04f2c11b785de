import { readPage } from '../docs/page-blocks.js';

/** The page for integrators who embed card fields. */
export const EMBEDDING_PAGE = 'docs/integrate/embed-card-fields.md';

/** A file of the page: its first line is its name. */
const FILE = /^```(?:js|html|css)\n((?:\/\/ |<!-- |\/\* )([\w-]+\.\w+)(?: -->| \*\/)?\n(.*?))^```\n/gms;

/** The files of the page: the whole block, and the name and text of the file in it. */
export function listEmbeddingFiles(): { readonly block: string; readonly name: string; readonly text: string }[] {
  return [...readPage(EMBEDDING_PAGE).matchAll(FILE)].map(([, block = '', name = '', text = '']) => ({
    ...{ block, name, text },
  }));
}
