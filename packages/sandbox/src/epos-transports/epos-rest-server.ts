import {
  EPOS_CALL_HEADERS,
  EPOS_DATA,
  EPOS_ERROR_STATUSES,
  type EposCallHeaders,
  type EposDataCallName,
  type EposError,
  isEposDataCall,
} from '@pos/rest-contracts/epos-data';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { distortText } from '../epos-simulator/answer-distortion.js';
import { parseBasicCredentials, isEqualSecret } from './epos-credentials.js';
import { serveDataCall } from '../epos-simulator/data-calls.js';
import type { DialableEpos } from './epos-grpc-server.js';

const BODY_BYTES_MAX = 1024 * 1024;
/** A second answer on the same connection, which a client receives after the first. */
const DUPLICATE_ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

type JsonObject = Readonly<Record<string, unknown>>;

/** Serves the EPOS Data API over REST for every EPOS that `findEpos` finds by the user name of the call. */
export function createEposRestHandler(
  findEpos: (username: string) => DialableEpos | null,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    void answerRestRequest(request, response, findEpos).catch(() => {
      if (response.headersSent) response.destroy();
      else sendError(response, { errorType: 'UnexpectedError', debugMessage: 'defect of the reference EPOS' });
    });
  };
}

async function answerRestRequest(
  request: IncomingMessage,
  response: ServerResponse,
  findEpos: (username: string) => DialableEpos | null,
): Promise<void> {
  const presented = parseBasicCredentials(request.headers.authorization ?? '');
  const epos = presented === null ? null : findEpos(presented.username);
  if (presented === null || epos === null || !isEqualSecret(presented.password, epos.password)) {
    response.setHeader('www-authenticate', 'Basic');
    sendError(response, { errorType: 'InvalidRequest', debugMessage: 'wrong user name or password' }, 401);
    return;
  }
  const body = await readJsonBody(request);
  if (typeof body === 'string') {
    sendError(response, { errorType: 'InvalidRequest', debugMessage: body });
    return;
  }
  const call = findDataCall(request, body);
  if (call === null) {
    sendError(response, { errorType: 'NotFound', debugMessage: 'there is no such path' });
    return;
  }
  const proxyStatus = epos.simulator.findProxyStatus(call.name);
  if (proxyStatus !== null) {
    response.writeHead(proxyStatus, { 'content-type': 'text/html' }).end('<html></html>');
    return;
  }
  const callResult = await serveDataCall(epos.simulator, { ...call, headers: readCallHeaders(request) }, 'rest');
  switch (callResult.kind) {
    case 'silence':
      // Left open, as a lost packet would leave it: the caller's deadline ends it.
      return;
    case 'broken':
      request.socket.destroy();
      return;
    case 'refusal':
      sendError(response, { errorType: callResult.code, debugMessage: callResult.reason });
      break;
    case 'answer':
      if (EPOS_DATA[call.name].returns === null) response.writeHead(204).end();
      else sendJson(response, 200, distortText(callResult.answer, callResult.spoiling, JSON.stringify));
  }
  if (callResult.isDoubled) response.once('finish', () => request.socket.write(DUPLICATE_ANSWER));
}

/** The call of a method and path, with the members of path and body together; null for none. */
function findDataCall(
  request: IncomingMessage,
  body: JsonObject,
): { name: EposDataCallName; params: JsonObject } | null {
  const { method = '', url = '' } = request;
  const [path = ''] = url.split('?');
  if (method === 'POST' && path.endsWith('/v1/tables')) return { name: 'SearchTables', params: body };
  // Some services create and search on one path; only a new order has items.
  if (method === 'POST' && path.endsWith('/v1/orders') && body['items'] === undefined) {
    return { name: 'SearchOrders', params: body };
  }
  for (const [name, operation] of Object.entries(EPOS_DATA)) {
    const pathParams = operation.method === method ? matchPath(operation.path, path) : null;
    if (pathParams !== null && isEposDataCall(name)) return { name, params: { ...body, ...pathParams } };
  }
  return null;
}

/** The parameters of a path that ends with the template; null when it does not match. */
function matchPath(template: string, path: string): Record<string, string> | null {
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

function readCallHeaders({ headers }: IncomingMessage): EposCallHeaders {
  const sent = Object.entries(EPOS_CALL_HEADERS).flatMap(([member, name]) => {
    const value = headers[name];
    return typeof value === 'string' ? [[member, value] as const] : [];
  });
  return Object.fromEntries(sent);
}

/** The body as an object, empty when there is none; a text describes what is wrong with it. */
async function readJsonBody(request: IncomingMessage): Promise<JsonObject | string> {
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
    return isJsonObject(body) ? body : 'the body is no JSON object';
  } catch {
    return 'the body is no JSON object';
  }
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sendError(
  response: ServerResponse,
  error: EposError,
  status: number = EPOS_ERROR_STATUSES[error.errorType],
): void {
  sendJson(response, status, JSON.stringify(error));
}

function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
