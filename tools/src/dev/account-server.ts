import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOOPBACK } from './ports.js';
import { AccountRefusal, type Restaurant } from './throwaway-accounts.js';

/** What the server offers. */
interface AccountFactory {
  create(): Promise<Restaurant>;
  delete(name: string): Promise<void>;
}

/** Creates and deletes throw-away accounts. Its address and its token are in dev.json, which its user alone can read. */
export interface AccountServer {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

const TOKEN_BYTES = 32;
const CREATE = 'POST /accounts';
const DELETE = /^DELETE \/accounts\/([\w-]{1,100})$/;

/** Listens on a free port of loopback: `POST /accounts` and `DELETE /accounts/{name}`, both with the token. */
export async function openAccountServer(accounts: AccountFactory): Promise<AccountServer> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const server = createServer((request, response) => {
    void answer(request, response, { accounts, token });
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    token,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { accounts, token }: { readonly accounts: AccountFactory; readonly token: string },
): Promise<void> {
  const send = (status: number, body: object | null): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === null ? '' : JSON.stringify(body));
  };
  request.resume();
  if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) {
    send(401, { detail: 'the token of dev.json is needed' });
    return;
  }
  const route = `${request.method ?? ''} ${request.url ?? ''}`;
  const [, deleted] = DELETE.exec(route) ?? [];
  try {
    if (route === CREATE) send(201, await accounts.create());
    else if (deleted === undefined)
      send(404, { detail: `${route}: there are POST /accounts and DELETE /accounts/{name}` });
    else {
      await accounts.delete(deleted);
      send(204, null);
    }
  } catch (error) {
    const status = error instanceof AccountRefusal ? error.status : 500;
    send(status, { detail: error instanceof Error ? error.message : String(error) });
  }
}

/** Compares in a time that does not depend on the content. */
function isSame(left: string, right: string): boolean {
  const [first, second] = [left, right].map((each) => createHash('sha256').update(each).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
