import type { ContractModel, OperationModel } from './model/contract-model.js';
import { renderComment, renderType } from './render-type.js';

const HEAD = '// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.\n';

/** `schemas.ts`: a type for each schema of the document, and the union of all webhooks by `event`. */
export function renderSchemas({ schemas, events }: ContractModel): string {
  const types = Object.entries(schemas).map(
    ([name, schema]) => `${renderComment(schema.description)}export type ${name} = ${renderType(schema)};\n`,
  );
  const union = events.map(
    ({ kind, schema }) => `  | (${renderType(schema)} & { readonly event: ${JSON.stringify(kind)} })`,
  );
  return [
    HEAD,
    ...types,
    `/** Any webhook; \`event\` distinguishes them. */\nexport type WebhookEvent =\n${union.join('\n')};\n`,
  ].join('\n');
}

/** `operation-types.ts`: the arguments and the answer of each operation. */
export function renderOperationTypes({ schemas, operations, release }: ContractModel): string {
  const types = operations.map(renderOperationType);
  const imports = Object.keys(schemas).filter((name) =>
    new RegExp(`\\b${name}\\b`).test(types.join('').replaceAll(/\/\*\*.*\*\//g, '')),
  );
  return `${HEAD}
import type {\n${imports.map((name) => `  ${name},\n`).join('')}} from './schemas.js';

/** The release that these types describe, and that a client asks for. */
export const NEWEST_RELEASE = '${release}';

/** What each operation takes and answers. */
export interface OperationTypes {
${types.join('')}}
`;
}

/** `payer-operations.ts`: how the operations are called that browsers of payers may call. */
export function renderPayerOperations({ operations }: ContractModel): string {
  const rows = operations.filter(({ isForPayers }) => isForPayers).map(renderRow);
  return `${HEAD}
import type { OperationFacts } from '../contract/operation-facts.js';
import type { OperationTypes } from './operation-types.js';

/** How each operation of payers is called. */
export const PAYER_OPERATIONS = {
${rows.join('')}} as const satisfies Partial<Readonly<Record<keyof OperationTypes, OperationFacts>>>;
`;
}

/** `currencies.ts`: the currencies without two decimals, so that the table costs pages of payers little. */
export function renderCurrencies(exponents: ReadonlyMap<string, number>): string {
  const rows = [...exponents]
    .filter(([, exponent]) => exponent !== 2)
    .map(([code, exponent]) => `  ${code}: ${exponent},\n`);
  return `// Generated from ISO 4217 as the service has it; UPDATE_GOLDEN=1 and the test of the generator rewrite it.

/** The decimals of the currencies of ISO 4217 that have other than two. */
export const EXPONENTS: Readonly<Record<string, number>> = {
${rows.join('')}};
`;
}

/** `card-schemes.ts`: the names of card schemes that payers know. */
export function renderSchemeNames(names: readonly (readonly [scheme: string, name: string])[]): string {
  const rows = names.map(([scheme, name]) => `  ['${scheme}', '${name}'],\n`);
  return `// Generated from the card schemes of the service; UPDATE_GOLDEN=1 and the test of the generator rewrite it.

/** The names of card schemes that payers know. */
export const CARD_SCHEME_NAMES: ReadonlyMap<string, string> = new Map([
${rows.join('')}]);
`;
}

/** `operations.ts`: how all operations are called. */
export function renderOperations({ operations }: ContractModel): string {
  const rows = operations.filter(({ isForPayers }) => !isForPayers).map(renderRow);
  return `${HEAD}
import type { OperationFacts } from '../contract/operation-facts.js';
import type { OperationTypes } from './operation-types.js';
import { PAYER_OPERATIONS } from './payer-operations.js';

/** How each operation is called. */
export const OPERATIONS = {
  ...PAYER_OPERATIONS,
${rows.join('')}} as const satisfies Readonly<Record<keyof OperationTypes, OperationFacts>>;
`;
}

function renderOperationType({ id, summary, members, body, query, result }: OperationModel): string {
  const args = [
    ...members.map((name) => `${name}: string`),
    ...(body === null ? [] : [`body: ${renderType(body, 2)}`]),
    ...(query === null ? [] : [`query?: ${renderType(query, 1)}`]),
  ].join(', ');
  const returns = result === null ? 'undefined' : renderType(result, 2);
  return `${renderComment(`${summary}.`, '  ')}  readonly ${id}: { readonly args: [${args}]; readonly returns: ${returns} };\n`;
}

function renderRow({ id, method, path, input, summary, repeat, ...operation }: OperationModel): string {
  const facts = JSON.stringify({
    ...{ method, path, input, summary, repeat },
    ...(operation.key && { key: true }),
    ...(operation.partners && { partners: true }),
    ...(operation.customerSecret && { customerSecret: true }),
  });
  return `  ${id}: ${facts},\n`;
}
