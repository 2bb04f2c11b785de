import { TOTP } from 'otpauth';
import { PASSWORD, type PortalTestEnvironment, readBody, type TestAnswer } from './portal-test-environment.js';
import { type PasskeyOptions, SoftwareAuthenticator } from './software-authenticator.js';

export const PORTAL_URL = 'https://portal.example';
const STEP_MS = 30_000;

/** The one-time code of a secret, so many steps of time from now. */
export function createCode(secret: string, steps = 0): string {
  return new TOTP({ secret, digits: 6, period: 30 }).generate({ timestamp: Date.now() + steps * STEP_MS });
}

/** Signs users with second factors in, by the requests of the pages. */
export class FactorSignIn {
  constructor(private readonly environment: PortalTestEnvironment) {}

  /** Sets one-time codes up for the session. Its first step of time is usable again. */
  async addCodes(cookie: string): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
    const begun = await this.#post('/portal/second-factors/codes/secret', cookie);
    const { secret } = readBody<{ secret: string }>(begun.text);
    const answer = await this.#post('/portal/second-factors/codes', cookie, { code: createCode(secret) });
    if (answer.status !== 200) throw new Error(`codes: ${answer.text}`);
    await this.environment.change('update portal_totp_secrets set last_step = 0');
    return { secret, recoveryCodes: readBody<{ recoveryCodes?: string[] }>(answer.text).recoveryCodes ?? [] };
  }

  /** Adds a passkey to the session. */
  async addPasskey(cookie: string, name = 'Laptop'): Promise<SoftwareAuthenticator> {
    const passkey = new SoftwareAuthenticator(PORTAL_URL);
    const options = await this.createOptions('/portal/second-factors/passkeys/options', cookie);
    const body = { name, passkey: passkey.create(options) };
    const answer = await this.#post('/portal/second-factors/passkeys', cookie, body);
    if (answer.status !== 200) throw new Error(`passkey: ${answer.text}`);
    return passkey;
  }

  /** The cookie of a sign-in by the password, which waits for a second factor. */
  async begin(email: string): Promise<string> {
    const answer = await this.#post('/portal/session', null, { email, password: PASSWORD });
    if (!('secondFactor' in readBody<object>(answer.text))) throw new Error(`no second factor: ${answer.text}`);
    return readSetCookie(answer);
  }

  async createOptions(path: string, cookie: string): Promise<PasskeyOptions> {
    return readBody<{ options: PasskeyOptions }>((await this.#post(path, cookie)).text).options;
  }

  complete(step: string, body: object): Promise<TestAnswer> {
    return this.#post('/portal/session/second-factor', step, body);
  }

  #post(path: string, cookie: string | null, body?: object): Promise<TestAnswer> {
    return this.environment.send('POST', path, { cookie, ...(body !== undefined && { body }) });
  }
}

/** The name and value of the cookie that an answer sets. */
export function readSetCookie({ headers }: TestAnswer): string {
  const [cookie = ''] = [headers['set-cookie'] ?? []].flat();
  return cookie.split(';', 1)[0] ?? '';
}
