import { EPOS_CALL_HEADERS, EPOS_DATA, EPOS_ERROR_STATUSES, type EposCallHeaders } from '@pos/rest-contracts/epos-data';
import { isEposDataCall, type EposDataCallName, type EposError } from '@pos/rest-contracts/epos-data';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { spoiledText } from './epos-answers.js';
import { basicCredentials, isSameText } from './epos-credentials.js';
import { serveDataCall } from './epos-data-calls.js';
import type { DialledEpos } from './epos-grpc-server.js';

const BODY_BYTES_MAX = 1024 * 1024;
/** What a client hears that was answered already: a second answer on the same connection. */
const STRAY_ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

type Members = Readonly<Record<string, unknown>>;

/** Serves the EPOS Data API over REST for every EPOS that `findEpos` knows: the user name of the call says which one. */
export function eposRestHandler(
  findEpos: (username: string) => DialledEpos | null,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    void answerRequest(request, response, findEpos).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, { errorType: 'UnexpectedError', debugMessage: 'defect of the reference EPOS' });
    });
  };
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  findEpos: (username: string) => DialledEpos | null,
): Promise<void> {
  const shown = basicCredentials(request.headers.authorization ?? '');
  const epos = shown === null ? null : findEpos(shown.username);
  if (shown === null || epos === null || !isSameText(shown.password, epos.password)) {
    response.setHeader('www-authenticate', 'Basic');
    refuse(response, { errorType: 'InvalidRequest', debugMessage: 'wrong user name or password' }, 401);
    return;
  }
  const body = await bodyOf(request);
  if (typeof body === 'string') {
    refuse(response, { errorType: 'InvalidRequest', debugMessage: body });
    return;
  }
  const call = callOf(request, body);
  if (call === null) {
    refuse(response, { errorType: 'NotFound', debugMessage: 'there is no such path' });
    return;
  }
  const proxyStatus = epos.door.proxyStatusOf(call.name);
  if (proxyStatus !== null) {
    response.writeHead(proxyStatus, { 'content-type': 'text/html' }).end('<html></html>');
    return;
  }
  const served = await serveDataCall(epos.door, { ...call, headers: headersOf(request) }, 'rest');
  switch (served.kind) {
    case 'silence':
      // Left open, as a lost packet would leave it: the caller's deadline ends it.
      return;
    case 'broken':
      request.socket.destroy();
      return;
    case 'refusal':
      refuse(response, { errorType: served.code, debugMessage: served.reason });
      break;
    case 'answer':
      if (EPOS_DATA[call.name].returns === null) response.writeHead(204).end();
      else send(response, 200, spoiledText(served.answer, served.spoiling, JSON.stringify));
  }
  if (served.isDoubled) response.once('finish', () => request.socket.write(STRAY_ANSWER));
}

/** The call behind method and path, with path and body in one; null for none. */
function callOf(request: IncomingMessage, body: Members): { name: EposDataCallName; params: Members } | null {
  const { method = '', url = '' } = request;
  const [path = ''] = url.split('?');
  if (method === 'POST' && path.endsWith('/v1/tables')) return { name: 'SearchTables', params: body };
  // Some services create and search on one path; only an order that is to be made has items.
  if (method === 'POST' && path.endsWith('/v1/orders') && body['items'] === undefined) {
    return { name: 'SearchOrders', params: body };
  }
  for (const [name, operation] of Object.entries(EPOS_DATA)) {
    const ofPath = operation.method === method ? matched(operation.path, path) : null;
    if (ofPath !== null && isEposDataCall(name)) return { name, params: { ...body, ...ofPath } };
  }
  return null;
}

/** The members of a path that fits the template, wherever it begins; null for one that does not. */
function matched(template: string, path: string): Record<string, string> | null {
  const pattern = template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const groups = new RegExp(`^(?:/.*)?${pattern}$`).exec(path);
  if (groups === null) return null;
  try {
    return Object.fromEntries(
      Object.entries(groups.groups ?? {}).map(([member, text]) => [member, decodeURIComponent(text)]),
    );
  } catch {
    return null;
  }
}

function headersOf({ headers }: IncomingMessage): EposCallHeaders {
  const sent = Object.entries(EPOS_CALL_HEADERS).flatMap(([member, name]) => {
    const value = headers[name];
    return typeof value === 'string' ? [[member, value] as const] : [];
  });
  return Object.fromEntries(sent);
}

/** The body as an object, empty when there is none, or what is wrong with it. */
async function bodyOf(request: IncomingMessage): Promise<Members | string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length <= BODY_BYTES_MAX) parts.push(part);
  }
  if (length > BODY_BYTES_MAX) return 'the body is longer than 1 MiB';
  if (length === 0) return {};
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString());
    return isMembers(body) ? body : 'the body is no JSON object';
  } catch {
    return 'the body is no JSON object';
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(
  response: ServerResponse,
  error: EposError,
  status: number = EPOS_ERROR_STATUSES[error.errorType],
): void {
  send(response, status, JSON.stringify(error));
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
