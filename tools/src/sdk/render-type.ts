import type { Schema } from './model/schema.js';

const INDENT = '  ';

/** The TypeScript type of a schema, on as many lines as it needs. Throws for what it cannot express. */
export function renderType(schema: Schema, depth = 0): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return unique(options.map((each) => renderType(each, depth))).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((each) => `(${renderType(each, depth)})`).join(' & ');
  if (Array.isArray(schema.type)) {
    return unique((schema.type as string[]).map((type) => renderType({ ...schema, type }, depth))).join(' | ');
  }
  return renderPlain(schema, depth);
}

function renderPlain(schema: Schema, depth: number): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly (${renderType(schema.items ?? {}, depth)})[]`;
    case 'object':
      return renderObject(schema, depth);
    case undefined:
      // `{ not: {} }` is a member that must be absent.
      return schema.not === undefined ? 'unknown' : 'never';
    default:
      throw new Error(`the generator does not know the type ${JSON.stringify(schema.type)}`);
  }
}

function renderObject({ properties = {}, required = [], additionalProperties }: Schema, depth: number): string {
  const names = Object.keys(properties);
  if (names.length === 0) {
    const value = typeof additionalProperties === 'object' ? renderType(additionalProperties, depth) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const pad = INDENT.repeat(depth + 1);
  const lines = Object.entries(properties).map(([name, member]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    // A program that compiles with exact optional members may still say `undefined`: JSON leaves it out.
    const [mark, also] = required.includes(name) ? ['', ''] : ['?', ' | undefined'];
    return `${renderComment(member.description, pad)}${pad}readonly ${key}${mark}: ${renderType(member, depth + 1)}${also};\n`;
  });
  return `{\n${lines.join('')}${INDENT.repeat(depth)}}`;
}

/** A docstring above what follows; nothing without a description. */
export function renderComment(text: string | undefined, pad = ''): string {
  return text === undefined ? '' : `${pad}/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
