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
