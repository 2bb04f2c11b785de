const KEY_BYTES = 32;

/** The master keys of the vault by their ids. */
export interface VaultKeys {
  /** The key that wraps new data keys. */
  readonly currentId: string;
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

/** Reads `id:base64,id:base64`, the current key first. Null for any other text. */
export function readVaultKeys(text: string): VaultKeys | null {
  const entries = text.split(',').map((entry) => /^\s*([A-Za-z0-9_.-]{1,40}):([A-Za-z0-9+/]{43}=)\s*$/.exec(entry));
  const keys = new Map<string, Uint8Array>();
  for (const entry of entries) {
    const [, id = '', base64 = ''] = entry ?? [];
    const key = Buffer.from(base64, 'base64');
    if (key.length !== KEY_BYTES || keys.has(id)) return null;
    keys.set(id, key);
  }
  const [currentId] = keys.keys();
  return currentId === undefined ? null : { currentId, keys };
}

/**
 * Combines keys with further components of some of them, by exclusive or: without one component, each key is as likely
 * as any other. Returns what is wrong with the components instead of the keys.
 */
export function combineComponents(
  first: VaultKeys,
  further: readonly (VaultKeys | null)[],
  componentsMin: number,
): VaultKeys | { readonly problem: string } {
  const lists = further.filter((list) => list !== null);
  for (const list of lists) {
    for (const id of list.keys.keys()) {
      if (!first.keys.has(id)) return { problem: `has a component of ${id}, which VAULT_KEYS lacks` };
    }
  }
  const keys = new Map<string, Uint8Array>();
  for (const [id, component] of first.keys) {
    const components = [component, ...lists.flatMap((list) => list.keys.get(id) ?? [])];
    if (components.length < componentsMin) {
      return { problem: `${id} has ${components.length} of at least ${componentsMin} components` };
    }
    if (new Set(components.map((each) => Buffer.from(each).toString('hex'))).size < components.length) {
      return { problem: `two components of ${id} are the same` };
    }
    keys.set(id, components.reduce(combineBytes));
  }
  return { currentId: first.currentId, keys };
}

function combineBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, index) => byte ^ (other[index] ?? 0));
}
