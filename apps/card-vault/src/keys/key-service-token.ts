import { readFileSync } from 'node:fs';
import { ConfigError, Secret } from '@pos/service-kit/config';

/**
 * The token of the key service in its file, which an agent replaces before the token ends. The file is read at the start
 * and each time that the service refuses the token.
 */
export class KeyServiceToken {
  #token: Secret;

  /** Throws `ConfigError` for a file that cannot be read or is empty. */
  constructor(private readonly file: string) {
    const token = readToken(file);
    if (token === null) {
      throw new ConfigError(['KEY_SERVICE_TOKEN_PATH: names a file that cannot be read or is empty']);
    }
    this.#token = token;
  }

  get current(): Secret {
    return this.#token;
  }

  /** Reads the file again. False if it has no other token than before. */
  reload(): boolean {
    const token = readToken(this.file);
    if (token === null || token.reveal() === this.#token.reveal()) return false;
    this.#token = token;
    return true;
  }
}

function readToken(file: string): Secret | null {
  try {
    const text = readFileSync(file, 'utf8').trim();
    // Anything else is no value of a header.
    return /^[\x21-\x7e]{1,4096}$/.test(text) ? new Secret(text) : null;
  } catch {
    return null;
  }
}
