import type { ContractModel, OperationModel } from '../model/contract-model.js';
import { nameIterator, toSnakeCase, wrapText } from '../model/names.js';
import type { ObjectMember, ObjectType, ObjectTypes, TypeNode } from '../model/object-types.js';

const HEAD = '# Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.\n';
const WIDTH = 110;
/** Words of the language, which no class can have as members. */
const KEYWORDS = ['from', 'in', 'is', 'class', 'global', 'import', 'not', 'or', 'and', 'pass', 'return', 'with'];

/** `schemas.py`: a `TypedDict` for each object, the reasons of refusals, and the union of all webhooks. */
export function renderPythonSchemas({ reasons, events }: ContractModel, types: ObjectTypes): string {
  const bodies = [...new Set(events.map(({ schema }) => schema.$ref?.replace(/.*\//, '') ?? ''))];
  return `${HEAD}"""What the API takes and answers. An absent member is left out; None is sent as null."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, Optional, TypeAlias, TypedDict, Union

ProblemReason: TypeAlias = Literal[
${reasons.map((reason) => `    ${JSON.stringify(reason)},\n`).join('')}]
"""What a refusal names as its reason."""

${types.list().map(renderObject).join('\n')}

WebhookEvent: TypeAlias = Union[${bodies.join(', ')}]
"""Any webhook; \`event\` distinguishes them."""
`;
}

/** `operations.py`: a method for each operation, and how each is called. */
export function renderPythonOperations({ operations, release }: ContractModel, types: ObjectTypes): string {
  const methods = operations.map((operation) => renderMethod(operation, types));
  const used = types.list().flatMap(({ name }) => (new RegExp(`\\b${name}\\b`).test(methods.join('')) ? [name] : []));
  return `${HEAD}"""The operations of the API as methods."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Iterator, List, Optional, Sequence

from ._sender import OperationFacts
from .schemas import (
${used.map((name) => `    ${name},\n`).join('')})

NEWEST_RELEASE = ${JSON.stringify(release)}
"""The release that the types describe, and that a client asks for."""

OPERATIONS = {
${operations.map(renderFacts).join('')}}
"""How each operation is called."""


class PosOperations(ABC):
    """A method for each operation: the members of the path, then the body or the query, then options."""

    @abstractmethod
    def call(
        self,
        operation: str,
        members: Sequence[str] = (),
        payload: Any = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        customer_secret: Optional[str] = None,
    ) -> Any:
        """Calls an operation by its id in the contract."""

    @abstractmethod
    def iterate(
        self, operation: str, members: Sequence[str] = (), payload: Any = None, *, timeout: Optional[float] = None
    ) -> Iterator[Any]:
        """Every element of a listing, from page to page."""
${methods.join('')}`;
}

function renderObject(type: ObjectType): string {
  return type.members.some(({ name }) => KEYWORDS.includes(name) || !/^\w+$/.test(name))
    ? renderFunctional(type)
    : renderClass(type);
}

function renderClass({ name, description, members }: ObjectType): string {
  const lines = members.map((member) => {
    const text = member.description === undefined ? '' : renderDocstring(member.description, '    ');
    return `    ${member.name}: ${renderMemberType(member)}\n${text}`;
  });
  const own = description === undefined ? '' : `${renderDocstring(description, '    ')}\n`;
  return `\nclass ${name}(TypedDict):\n${own}${lines.join('')}`;
}

/** The form for members whose names are words of the language. Its types are texts, as all types refer forward. */
function renderFunctional({ name, description, members }: ObjectType): string {
  const lines = members.map((member) => {
    const comment = wrapText(member.description ?? '', WIDTH - 6).map((line) => `        # ${line}\n`);
    const text = member.description === undefined ? '' : comment.join('');
    const type = member.isRequired
      ? JSON.stringify(renderType(member.type))
      : `NotRequired[${JSON.stringify(renderType(member.type))}]`;
    return `${text}        ${JSON.stringify(member.name)}: ${type},\n`;
  });
  const own = description === undefined ? '' : renderDocstring(description, '');
  return `\n${name} = TypedDict(\n    ${JSON.stringify(name)},\n    {\n${lines.join('')}    },\n)\n${own}`;
}

function renderMemberType({ type, isRequired }: ObjectMember): string {
  return isRequired ? renderType(type) : `NotRequired[${renderType(type)}]`;
}

function renderType(type: TypeNode): string {
  switch (type.kind) {
    case 'text':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'any':
      return 'Any';
    case 'choice':
      return `Literal[${type.values.map((value) => JSON.stringify(value)).join(', ')}]`;
    case 'object':
      return type.name;
    case 'list':
      return `List[${renderType(type.of)}]`;
    case 'map':
      return `Dict[str, ${renderType(type.of)}]`;
    case 'nullable':
      return `Optional[${renderType(type.of)}]`;
  }
}

function renderMethod(operation: OperationModel, types: ObjectTypes): string {
  const { id, summary, members, input, repeat, customerSecret, pages } = operation;
  const nodes = types.getOperation(id);
  const payload = nodes.input === null ? 'Any' : renderType(nodes.input);
  const required = members.map((name) => `${toSnakeCase(name)}: str`);
  if (input === 'body') required.push(`body: ${payload}`);
  if (input === 'query') required.push(`query: Optional[${payload}] = None`);
  const options = ['timeout: Optional[float] = None'];
  const passed = ['timeout=timeout'];
  if (repeat === 'key') {
    options.unshift('idempotency_key: Optional[str] = None');
    passed.unshift('idempotency_key=idempotency_key');
  }
  if (customerSecret) {
    options.unshift('customer_secret: str');
    passed.unshift('customer_secret=customer_secret');
  }
  const sent = [JSON.stringify(id), `[${members.map(toSnakeCase).join(', ')}]`, input ?? 'None'];
  const result = nodes.result === null ? 'None' : renderType(nodes.result);
  const method = renderFunction(toSnakeCase(id), [...required, '*', ...options], result);
  const call = `self.call(${[...sent, ...passed].join(', ')})\n`;
  const body = nodes.result === null ? `        ${call}` : `        answer: ${result} = ${call}        return answer\n`;
  const single = `\n${method}        """${summary}."""\n${body}`;
  if (pages === null || nodes.element === null) return single;
  const listed = required.map((each) => (each.startsWith('body: ') ? `body: Optional[${payload}] = None` : each));
  const element = `Iterator[${renderType(nodes.element)}]`;
  const iterator = renderFunction(
    toSnakeCase(nameIterator(id)),
    [...listed, '*', 'timeout: Optional[float] = None'],
    element,
  );
  const iterate = `        return self.iterate(${[...sent, 'timeout=timeout'].join(', ')})\n`;
  return `${single}\n${iterator}        """${summary}, from page to page."""\n${iterate}`;
}

function renderFunction(name: string, parameters: readonly string[], result: string): string {
  const line = `    def ${name}(self, ${parameters.join(', ')}) -> ${result}:\n`;
  if (line.length <= WIDTH) return line;
  return `    def ${name}(\n        self,\n${parameters.map((each) => `        ${each},\n`).join('')}    ) -> ${result}:\n`;
}

function renderFacts({
  id,
  method,
  path,
  input,
  repeat,
  key,
  partners,
  customerSecret,
  pages,
}: OperationModel): string {
  const facts = [JSON.stringify(method), JSON.stringify(path), input === null ? 'None' : JSON.stringify(input)];
  facts.push(JSON.stringify(repeat));
  if (key) facts.push('key=True');
  if (partners) facts.push('partners=True');
  if (customerSecret) facts.push('customer_secret=True');
  if (pages !== null) facts.push(`pages=${JSON.stringify(pages)}`);
  return `    ${JSON.stringify(id)}: OperationFacts(${facts.join(', ')}),\n`;
}

function renderDocstring(text: string, pad: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const lines = wrapText(safe, WIDTH - pad.length - 6);
  return `${pad}"""${lines.join(`\n${pad}`)}"""\n`;
}
