import type { ContractModel, OperationModel } from '../model/contract-model.js';
import { nameIterator, wrapText } from '../model/names.js';
import { capitalize, type ObjectTypes, type TypeNode } from '../model/object-types.js';

const HEAD = `<?php

// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.

declare(strict_types=1);

namespace Pos;
`;
const WIDTH = 110;

/** `Reason.php`: what a refusal names as its reason. */
export function renderPhpReasons({ reasons }: ContractModel): string {
  const cases = reasons.map((reason) => {
    const name = reason.split('_').map(capitalize).join('');
    return `    case ${name} = '${reason}';\n`;
  });
  return `${HEAD}\n/** What a refusal names as its reason. */\nenum Reason: string\n{\n${cases.join('')}}\n`;
}

/** `Types.php`: the form of each object, which PHPStan, Psalm and editors read. */
export function renderPhpTypes(types: ObjectTypes): string {
  const shapes = types.list().map(({ name, members }) => {
    const lines = members.map(({ name: member, type, isRequired }) => {
      const key = /^\w+$/.test(member) ? member : `'${member}'`;
      return ` *     ${key}${isRequired ? '' : '?'}: ${renderType(type)},\n`;
    });
    return ` * @phpstan-type ${name} array{\n${lines.join('')} * }\n`;
  });
  return `${HEAD}
/**
 * The objects of the API are arrays of these forms. An absent member is left out; null is sent as null.
 *
${shapes.join('')} */
final class Types
{
}
`;
}

/** `PosOperations.php`: a method for each operation, and how each is called. */
export function renderPhpOperations({ operations, release }: ContractModel, types: ObjectTypes): string {
  const methods = operations.map((operation) => renderMethods(operation, types)).join('');
  const used = types.list().flatMap(({ name }) => (new RegExp(`\\b${name}\\b`).test(methods) ? [name] : []));
  return `${HEAD}
/**
 * A method for each operation: the members of the path, then the body or the query, then options.
 *
${used.map((name) => ` * @phpstan-import-type ${name} from Types\n`).join('')} */
abstract class PosOperations
{
    /** The release that the types describe, and that a client asks for. */
    public const NEWEST_RELEASE = '${release}';

    /** @param list<string> $members */
    abstract public function call(
        string $operation,
        array $members = [],
        mixed $payload = null,
        ?CallOptions $options = null,
    ): mixed;

    /**
     * @param list<string> $members
     * @param ?array<string, mixed> $payload
     */
    abstract public function iterate(string $operation, array $members = [], ?array $payload = null): \\Generator;

    /**
     * Throws PosAnswerException for an answer that is neither an object nor a list.
     *
     * @param list<string> $members
     * @return array<mixed>
     */
    protected function callForArray(string $operation, array $members, mixed $payload, ?CallOptions $options): array
    {
        $answer = $this->call($operation, $members, $payload, $options);
        return is_array($answer) ? $answer : throw new PosAnswerException("$operation: the answer is no object");
    }

    /**
     * How an operation is called. Throws PosUsageException for another id than those of the contract.
     *
     * @internal
     */
    public static function getFacts(string $operation): OperationFacts
    {
        return match ($operation) {
${operations.map(renderFacts).join('')}            default => throw new PosUsageException("there is no operation $operation"),
        };
    }
${methods}}
`;
}

function renderFacts(operation: OperationModel): string {
  const { id, method, path, input, repeat, pages, key, partners, customerSecret } = operation;
  const facts = [`'${method}'`, `'${path}'`, input === null ? 'null' : `'${input}'`, `Repeat::${capitalize(repeat)}`];
  if (pages !== null) facts.push(`pages: '${pages}'`);
  if (key) facts.push('key: true');
  if (partners) facts.push('partners: true');
  if (customerSecret) facts.push('customerSecret: true');
  return `            '${id}' => new OperationFacts(${facts.join(', ')}),\n`;
}

function renderMethods(operation: OperationModel, types: ObjectTypes): string {
  const { id, summary, members, input, pages } = operation;
  const nodes = types.getOperation(id);
  const payload = nodes.input === null ? 'array<string, mixed>' : renderType(nodes.input);
  const own = [...members.map((name) => `string $${name}`), ...(input === 'body' ? ['array $body'] : [])];
  const inputs = [...own, ...(input === 'query' ? ['array $query = []'] : [])];
  const path = `[${members.map((name) => `$${name}`).join(', ')}]`;
  const given = input === null ? 'null' : `$${input}`;
  const sent = `'${id}', ${path}, ${given}`;
  const documented = input === null ? [] : [`@param ${payload} $${input}`];
  const result = nodes.result === null ? [] : [`@return ${renderType(nodes.result)}`];
  const call =
    nodes.result === null ? `$this->call(${sent}, $options);` : `return $this->callForArray(${sent}, $options);`;
  const parameters = [...inputs, '?CallOptions $options = null'];
  const signature = `${id}(${parameters.join(', ')}): ${nodes.result === null ? 'void' : 'array'}`;
  const method = renderMethod({ summary: `${summary}.`, tags: [...documented, ...result], signature, statement: call });
  if (pages === null || nodes.element === null) return method;
  const listed = [...members.map((name) => `string $${name}`), `array $${input} = []`].join(', ');
  const element = `@return \\Generator<int, ${renderType(nodes.element)}>`;
  const iterator = `${nameIterator(id)}(${listed}): \\Generator`;
  const iterate = `return $this->iterate(${sent});`;
  const tags = [...documented, element];
  return (
    method + renderMethod({ summary: `${summary}, from page to page.`, tags, signature: iterator, statement: iterate })
  );
}

interface PhpMethod {
  readonly summary: string;
  /** Of the docblock. */
  readonly tags: readonly string[];
  readonly signature: string;
  readonly statement: string;
}

function renderMethod({ summary, tags, signature, statement }: PhpMethod): string {
  const lines = [...wrapText(summary, WIDTH - 7), ...(tags.length === 0 ? [] : ['']), ...tags];
  const comment = lines.map((line) => `     *${line === '' ? '' : ` ${line}`}\n`).join('');
  return `\n    /**\n${comment}     */\n    public function ${signature}\n    {\n        ${statement}\n    }\n`;
}

function renderType(type: TypeNode): string {
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'float|int';
    case 'boolean':
      return 'bool';
    case 'any':
      return 'mixed';
    case 'choice':
      return type.values.map((value) => `'${value}'`).join('|');
    case 'object':
      return type.name;
    case 'list':
      return `list<${renderType(type.of)}>`;
    case 'map':
      return `array<string, ${renderType(type.of)}>`;
    case 'nullable':
      return `${renderType(type.of)}|null`;
  }
}
