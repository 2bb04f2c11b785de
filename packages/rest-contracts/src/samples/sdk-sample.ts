import { listPathMembers, type SampleRequest } from './sample-request.js';
import { SDK_METHODS } from './sdk-methods.js';

/** A statement that calls the operation with the TypeScript SDK; null for an operation that the SDK does not have. */
export function writeSdkSample(request: SampleRequest): string | null {
  const { operationId, query, body, server, headers } = request;
  if (server !== 'api') return null;
  const method = SDK_METHODS[operationId];
  const options = headers.includes('authorization') ? ['{ customerSecret: process.env.CUSTOMER_SECRET }'] : [];
  const hasQuery = Object.keys(query).length > 0;
  const args = [
    ...(method === undefined ? [writeText(operationId)] : []),
    ...listPathMembers(request).map(writeText),
    ...(body === undefined ? [] : [writeValue(body, '')]),
    ...(hasQuery ? [writeValue(query, '')] : []),
    ...options,
  ];
  return `const answer = await ${method ?? 'pos.call'}(${args.join(', ')});`;
}

/** A JSON value as TypeScript, in the style of the guides. */
function writeValue(value: unknown, indent: string): string {
  if (typeof value === 'string') return writeText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const elements = value.map((each: unknown) => writeValue(each, inner));
    return wrapItems(elements, { indent, open: '[', close: ']' });
  }
  const members = Object.entries(value).map(([name, each]) => `${writeName(name)}: ${writeValue(each, inner)}`);
  return wrapItems(members, { indent, open: '{ ', close: ' }' });
}

const LINE_MAX = 80;

function wrapItems(
  items: readonly string[],
  { indent, open, close }: { readonly indent: string; readonly open: string; readonly close: string },
): string {
  if (items.length === 0) return `${open}${close}`.replaceAll(' ', '');
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length + indent.length <= LINE_MAX && !line.includes('\n')) return line;
  return `${open.trim()}\n${items.map((item) => `${indent}  ${item},\n`).join('')}${indent}${close.trim()}`;
}

/** `__proto__` in quotes would set the prototype; computed, it is a member like any other. */
function writeName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : writeText(name);
}

function writeText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  // These two end a line of a program, and JSON leaves them as they are.
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}
