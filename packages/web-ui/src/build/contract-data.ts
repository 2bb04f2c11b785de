import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** The public modules of the contracts. */
const CONTRACTS = /[\\/]rest-contracts[\\/]dist[\\/][^\\/]+[\\/]index\.js$/;
const SCHEMA_LIBRARY = /[\\/]node_modules[\\/]zod[\\/]/;

/**
 * Keeps schemas out of pages. Of a public module of `@pos/rest-contracts` that has operations, a page gets the method and
 * path of each operation and the constants; its schemas and functions are no exports there, so a page that uses one does
 * not build. Other modules of the contracts stay as they are (docs/decisions/0149).
 */
export function takeContractData(): Plugin {
  return {
    name: 'take-contract-data',
    load: {
      filter: { id: CONTRACTS },
      async handler(id) {
        const contract = Object.entries((await import(pathToFileURL(id).href)) as object);
        if (!contract.some(([, value]) => isOperation(value))) return null;
        const exports = contract.flatMap(([name, value]) => {
          const data: unknown = isOperation(value) ? { method: value.method, path: value.path } : value;
          return isData(data) ? [`export const ${name} = ${JSON.stringify(data)};`] : [];
        });
        return { code: exports.join('\n'), moduleSideEffects: false };
      },
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && chunk.moduleIds.some((id) => SCHEMA_LIBRARY.test(id)))
          this.error(`${chunk.fileName} contains schemas, which no page needs`);
      }
    },
  };
}

function isOperation(value: unknown): value is { readonly method: string; readonly path: string } {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'returns' in value;
}

/** Whether a value is the same after it was written as JSON. */
function isData(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (typeof value !== 'object') return false;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every(isData);
}
