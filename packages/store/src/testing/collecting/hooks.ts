// Hooks of Node's module loader: a module of this package or of @pos/postgres that is imported with `?variant=collecting` is
// another one than without, and so are those that it imports. The files beside this one replace the ones with their paths.
import { existsSync } from 'node:fs';
import type { ResolveHook } from 'node:module';

const VARIANT = '?variant=collecting';
const PACKAGES = [new URL('../../', import.meta.url).href, new URL('../../../../postgres/dist/', import.meta.url).href];
const REPLACEMENTS = new URL('./', import.meta.url).href;

export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await next(specifier, context);
  const [url = ''] = found.url.split('?');
  if (url.startsWith(REPLACEMENTS)) return { ...found, url };
  const isCollected = specifier.endsWith(VARIANT) || (context.parentURL?.endsWith(VARIANT) ?? false);
  const folder = PACKAGES.find((each) => url.startsWith(each));
  if (!isCollected || folder === undefined) return found;
  const replacement = new URL(url.slice(folder.length), REPLACEMENTS);
  return { ...found, url: existsSync(replacement) ? replacement.href : `${url}${VARIANT}` };
};
