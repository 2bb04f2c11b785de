import { wrapText } from '../model/names.js';
import type { ObjectMember, ObjectType, ObjectTypes, TypeNode } from '../model/object-types.js';

export const JAVA_HEAD =
  '// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.\n';
const WIDTH = 110;
/** Words of the language, and methods that every object has. */
const TAKEN = ['default', 'class', 'package', 'import', 'native', 'static', 'new', 'has', 'notify', 'wait', 'get'];

/** `Types.java`: a class for each object of the contract. */
export function renderJavaTypes(types: ObjectTypes): string {
  const sent = types.listSent();
  return `${JAVA_HEAD}package pos.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the API takes and answers. A method with an argument sets the member of its name and returns the object. */
public final class Types {
    private Types() {}
${types
  .list()
  .map((type) => renderObject(type, sent.has(type.name)))
  .join('')}}
`;
}

/** The type of a value; boxed where it may be null or is an argument of a generic type. */
export function renderJavaType(type: TypeNode, isBoxed: boolean): string {
  switch (type.kind) {
    case 'text':
    case 'choice':
      return 'String';
    case 'integer':
      return isBoxed ? 'Long' : 'long';
    case 'number':
      return isBoxed ? 'Double' : 'double';
    case 'boolean':
      return isBoxed ? 'Boolean' : 'boolean';
    case 'any':
      return 'Object';
    case 'object':
      return type.name;
    case 'list':
      return `List<${renderJavaType(type.of, true)}>`;
    case 'map':
      return `Map<String, ${renderJavaType(type.of, true)}>`;
    case 'nullable':
      return renderJavaType(type.of, true);
  }
}

/** The function that reads a value of the type. */
export function renderJavaRead(type: TypeNode): string {
  switch (type.kind) {
    case 'text':
    case 'choice':
      return 'JsonObject::asText';
    case 'integer':
      return 'JsonObject::asLong';
    case 'number':
      return 'JsonObject::asDouble';
    case 'boolean':
      return 'JsonObject::asBoolean';
    case 'any':
      return 'JsonObject::asIs';
    case 'object':
      return `${type.name}::of`;
    case 'list':
      return `JsonObject.asList(${renderJavaRead(type.of)})`;
    case 'map':
      return `JsonObject.asMap(${renderJavaRead(type.of)})`;
    case 'nullable':
      return renderJavaRead(type.of);
  }
}

export function renderJavadoc(text: string, pad: string): string {
  const safe = text.replaceAll('*/', '*&#47;').replaceAll('<', '&lt;').replaceAll('@', '&#64;');
  const code = safe.replaceAll(/`([^`{}]+)`/g, '{@code $1}');
  const lines = wrapText(code, WIDTH - pad.length);
  return lines.length === 1
    ? `${pad}/** ${lines[0]} */\n`
    : `${pad}/**\n${lines.map((line) => `${pad} * ${line}\n`).join('')}${pad} */\n`;
}

/** Only an object that is sent can be made, and has methods that set its members. */
function renderObject({ name, description, members }: ObjectType, isSent: boolean): string {
  const comment = description === undefined ? '' : renderJavadoc(description, '    ');
  const maker = `
        public ${name}() {
            super(new LinkedHashMap<>());
        }
`;
  return `
${comment}    public static final class ${name} extends JsonObject {${isSent ? maker : ''}
        private ${name}(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ${name} of(Object value) {
            return new ${name}(asMembers(value));
        }
${members.map((member) => renderGetter(member) + (isSent ? renderSetter(name, member) : '')).join('')}    }
`;
}

function renderGetter(member: ObjectMember): string {
  const { name, type } = member;
  const documented = describe(member);
  const comment = documented === '' ? '' : renderJavadoc(documented, '        ');
  return `
${comment}        public ${renderJavaType(type, isNullable(member))} ${nameMethod(name)}() {
            return ${isNullable(member) ? 'find' : 'get'}("${name}", ${renderJavaRead(type)});
        }
`;
}

function renderSetter(owner: string, member: ObjectMember): string {
  const { name, type } = member;
  return `
        public ${owner} ${nameMethod(name)}(${renderJavaType(type, isNullable(member))} value) {
            put("${name}", value);
            return this;
        }
`;
}

function isNullable({ type, isRequired }: ObjectMember): boolean {
  return !isRequired || type.kind === 'nullable';
}

function describe({ description, type }: ObjectMember): string {
  if (type.kind !== 'choice') return description ?? '';
  const values = `One of ${type.values.map((value) => `\`${value}\``).join(', ')}.`;
  return description === undefined ? values : `${description} ${values}`;
}

function nameMethod(member: string): string {
  const name = member.replaceAll(/[^A-Za-z0-9]+(\w)/g, (_, next: string) => next.toUpperCase());
  return TAKEN.includes(name) ? `${name}Value` : name;
}
