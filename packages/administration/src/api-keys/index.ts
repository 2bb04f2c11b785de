// API keys of accounts, and the replacement of the encryption key and the pepper.
export { changeKey, createRoleKey, listKeys, revokeKey } from './api-key-administration.js';
export { replaceEncryptionKey, retirePepper } from './key-replacement.js';
