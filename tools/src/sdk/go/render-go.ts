import type { ContractModel, OperationModel } from '../model/contract-model.js';
import { nameIterator, wrapText } from '../model/names.js';
import {
  capitalize,
  type ObjectMember,
  type ObjectType,
  type ObjectTypes,
  type TypeNode,
} from '../model/object-types.js';

// The form by which tools of the language recognise generated files.
const HEAD =
  '// Code generated from the contract of the API; DO NOT EDIT. UPDATE_GOLDEN=1 and the test of the generator rewrite it.\n\npackage pos\n';
const WIDTH = 110;
const KEYWORDS = ['type', 'range', 'func', 'map', 'package', 'import', 'default', 'body', 'query', 'options', 'ctx'];

/** `types.go`: a struct for each object, and the reasons of refusals. */
export function renderGoTypes({ reasons }: ContractModel, types: ObjectTypes): string {
  const names = reasons.map((reason) => reason.split('_').map(capitalize).join(''));
  const width = Math.max(...names.map(({ length }) => length));
  const constants = reasons.map(
    (reason, at) => `\tReason${(names[at] ?? '').padEnd(width)} Reason = ${JSON.stringify(reason)}\n`,
  );
  return `${HEAD}
// Reason is what a refusal names as its reason. A newer service may send others.
type Reason string

// The reasons of this release.
const (
${constants.join('')})
${types.list().map(renderStruct).join('')}`;
}

/** `operations.go`: a method for each operation, and how each is called. */
export function renderGoOperations({ operations, release }: ContractModel, types: ObjectTypes): string {
  return `${HEAD}
import (
	"context"

	"example.com/pos-sdk/internal/retry"
)

// NewestRelease is the release that the types describe, and that a client asks for.
const NewestRelease = ${JSON.stringify(release)}

// operations are how each operation is called.
var operations = map[string]operationFacts{
${renderTable(operations)}}
${operations.map((operation) => renderMethods(operation, types)).join('')}`;
}

function renderStruct({ name, description, members }: ObjectType): string {
  const comment = renderComment(description ?? `${name} is an object of the API.`, '');
  return `\n${comment}type ${name} struct {\n${members.map(renderField).join('\n')}}\n`;
}

function renderField(member: ObjectMember): string {
  const { name, type, isRequired } = member;
  const comment = describe(member);
  const tag = isRequired ? name : `${name},omitempty`;
  return `${comment === '' ? '' : renderComment(comment, '\t')}\t${nameField(name)} ${renderMemberType(type, isRequired)} \`json:"${tag}"\`\n`;
}

function renderMemberType(type: TypeNode, isRequired: boolean): string {
  if (isRequired || ['list', 'map', 'any'].includes(type.kind)) return renderType(type);
  // Absent and null differ.
  return type.kind === 'nullable' ? `*Nullable[${renderType(type.of)}]` : `*${renderType(type)}`;
}

function renderType(type: TypeNode): string {
  switch (type.kind) {
    case 'text':
    case 'choice':
      return 'string';
    case 'integer':
      return 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'any':
      return 'any';
    case 'object':
      return type.name;
    case 'list':
      return `[]${renderType(type.of)}`;
    case 'map':
      return `map[string]${renderType(type.of)}`;
    case 'nullable':
      return `*${renderType(type.of)}`;
  }
}

function describe({ description = '', type }: ObjectMember): string {
  if (type.kind !== 'choice') return description;
  return `${description} One of ${type.values.map((value) => `\`${value}\``).join(', ')}.`.trim();
}

function renderMethods(operation: OperationModel, types: ObjectTypes): string {
  const { id, summary, members, input, pages } = operation;
  const nodes = types.getOperation(id);
  const name = capitalize(id);
  const given = members.map((member) => (KEYWORDS.includes(member) ? `${member}Value` : member));
  const path = given.length === 0 ? 'nil' : `[]string{${given.join(', ')}}`;
  const payload = nodes.input === null || input === null ? [] : [`${input} *${renderType(nodes.input)}`];
  const own = [...(given.length === 0 ? [] : [`${given.join(', ')} string`]), ...payload].join(', ');
  const parameters = ['ctx context.Context', ...(own === '' ? [] : [own]), 'options ...CallOption'].join(', ');
  const result = nodes.result === null ? 'any' : renderPointer(nodes.result);
  const call = `call[${result}](ctx, c, ${JSON.stringify(id)}, ${path}, ${input ?? 'nil'}, options)`;
  const body = nodes.result === null ? `\t_, err := ${call}\n\treturn err\n` : `\treturn ${call}\n`;
  const returned = nodes.result === null ? 'error' : `(${result}, error)`;
  const comment = renderComment(`${name}: ${summary}.`, '');
  const method = `\n${comment}func (c *Client) ${name}(${parameters}) ${returned} {\n${body}}\n`;
  if (pages === null || nodes.element === null) return method;
  const iterator = capitalize(nameIterator(id));
  const element = renderType(nodes.element);
  return `${method}
${renderComment(`${iterator}: ${summary}, from page to page.`, '')}func (c *Client) ${iterator}(${own}) *Pager[${element}] {
\treturn Iterate[${element}](c, ${JSON.stringify(id)}, ${path}, ${input ?? 'nil'})
}
`;
}

/** Objects are answered as pointers, which are nil beside an error. */
function renderPointer(type: TypeNode): string {
  return type.kind === 'object' ? `*${type.name}` : renderType(type);
}

/** The rows as the formatter of the language aligns them. */
function renderTable(operations: readonly OperationModel[]): string {
  const rows = operations.map((operation) => {
    const { method, path, input, repeat, pages, key, partners, customerSecret } = operation;
    const flags = [key, partners, customerSecret].map(String).join(', ');
    const texts = [method, path, input ?? ''].map((text) => JSON.stringify(text)).join(', ');
    return `{${texts}, retry.${capitalize(repeat)}, ${JSON.stringify(pages ?? '')}, ${flags}},`;
  });
  const width = Math.max(...operations.map(({ id }) => id.length)) + 3;
  return operations.map(({ id }, at) => `\t${`"${id}":`.padEnd(width)} ${rows[at]}\n`).join('');
}

function renderComment(text: string, pad: string): string {
  return wrapText(text, WIDTH - 3 - pad.length)
    .map((line) => `${pad}// ${line}\n`)
    .join('');
}

function nameField(member: string): string {
  const name = member
    .split(/[^A-Za-z0-9]+/)
    .map(capitalize)
    .join('');
  return name.replaceAll(/(Id|Url|Api)(?=[A-Z]|s?$)/g, (word) => word.toUpperCase());
}
