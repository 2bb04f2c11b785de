import { z } from 'zod';
import { NotReached } from '../failures/not-reached.js';
import { WrongUse } from '../failures/wrong-use.js';

const Account = z.object({ name: z.string(), tradingName: z.string(), accountId: z.string(), apiKey: z.string() });
const Refusal = z.object({ detail: z.string() });

/** A throw-away account. */
export type ThrowawayAccount = z.output<typeof Account>;

const CALL_MS_MAX = 60_000;

/** Creates and deletes throw-away accounts. `npm start` alone serves it, on loopback, and writes its token to dev.json. */
export class AccountServer {
  constructor(private readonly settings: { readonly url: string; readonly token: string }) {}

  async create(): Promise<ThrowawayAccount> {
    const created = Account.safeParse(await this.#send('POST', '/accounts'));
    if (!created.success)
      throw new NotReached(`${this.settings.url}, npm start, answered without an account; is it of another release?`);
    return created.data;
  }

  /** Throws WrongUse for an account that is no throw-away account. */
  async delete(name: string): Promise<void> {
    await this.#send('DELETE', `/accounts/${name}`);
  }

  async #send(method: string, path: string): Promise<unknown> {
    const { url, token } = this.settings;
    const response = await fetch(`${url}${path}`, {
      ...{ method, headers: { authorization: `Bearer ${token}` } },
      signal: AbortSignal.timeout(CALL_MS_MAX),
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) return body;
    const refusal = Refusal.safeParse(body);
    const detail = refusal.success ? refusal.data.detail : `${url}, npm start, answered ${response.status}`;
    throw response.status < 500 ? new WrongUse(detail) : new NotReached(detail);
  }
}
