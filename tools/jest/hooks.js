// Hooks of Node's module loader for tests: `./x.js` of a TypeScript file is `./x.ts`, and `@jest/globals` are those of
// the test file that runs.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { isTypeScript, SWC_OPTIONS } from './typescript.js';

const GLOBALS_MODULE = new URL('globals.js', import.meta.url).href;

export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS_MODULE, format: 'module', shortCircuit: true };
  if (/^\.\.?\/.*\.js(\?|$)/.test(specifier) && isTypeScript(context.parentURL ?? '')) {
    const url = findSource(specifier, context.parentURL);
    if (url !== null) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

/**
 * The TypeScript file of a relative specifier, or null. A module that is imported with `?variant=NAME` is another one than
 * without, and so are those that it imports. The files below `src/testing/NAME` replace the ones with their paths in it.
 */
function findSource(specifier, parent) {
  const url = new URL(specifier.replace(/\.js(?=\?|$)/, '.ts'), parent);
  const variant = new URL(parent).searchParams.get('variant') ?? url.searchParams.get('variant');
  if (variant !== null) {
    const replacement = new URL(url.href.replace('/src/', `/src/testing/${variant}/`));
    replacement.search = '';
    if (existsSync(replacement)) return replacement;
    url.searchParams.set('variant', variant);
  }
  return existsSync(url) ? url : null;
}

export async function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...SWC_OPTIONS, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
