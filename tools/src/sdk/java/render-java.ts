import type { ContractModel, OperationModel } from '../model/contract-model.js';
import { nameIterator } from '../model/names.js';
import type { ObjectTypes } from '../model/object-types.js';
import { JAVA_HEAD, renderJavadoc, renderJavaRead, renderJavaType } from './render-java-type.js';

/** `Reason.java`: what a refusal names as its reason. */
export function renderJavaReasons({ reasons }: ContractModel): string {
  return `${JAVA_HEAD}package pos.client;

/** What a refusal names as its reason. */
public enum Reason {
${reasons.map((reason) => `    ${reason.toUpperCase()}("${reason}"),\n`).join('')}    /** Not sent, or a reason of a newer service. */
    UNKNOWN("");

    private final String text;

    Reason(String text) {
        this.text = text;
    }

    static Reason of(String text) {
        for (Reason reason : values()) {
            if (reason.text.equals(text)) {
                return reason;
            }
        }
        return UNKNOWN;
    }

    /** The reason as it is sent. */
    public String getText() {
        return text;
    }
}
`;
}

/** `Operations.java`: how each operation is called. */
export function renderJavaFacts({ operations, release }: ContractModel): string {
  return `${JAVA_HEAD}package pos.client;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import pos.client.Operation.Extra;
import pos.client.Operation.Input;
import pos.client.Operation.Pages;
import pos.client.RetryPolicy.Repeat;

/** How each operation is called. */
final class Operations {
    /** The release that the types describe, and that a client asks for. */
    static final String NEWEST_RELEASE = "${release}";

    private static final Map<String, Operation> BY_ID = List.of(
${operations.map(renderFacts).join(',\n')})
            .stream()
            .collect(Collectors.toUnmodifiableMap(Operation::getId, Function.identity()));

    private Operations() {}

    /** The operation of this id in the contract, or null. */
    static Operation find(String id) {
        return BY_ID.get(id);
    }
}
`;
}

/** `PosOperations.java`: a method for each operation. */
export function renderJavaOperations({ operations }: ContractModel, types: ObjectTypes): string {
  return `${JAVA_HEAD}package pos.client;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import pos.client.Types.*;

/** A method for each operation: the members of the path, then the body or the query, then options. */
public abstract class PosOperations {
    PosOperations() {}

    abstract <T> T call(
            String operation, List<String> members, Object payload, CallOptions options, Function<Object, T> read);

    abstract <T> Iterable<T> iterate(
            String operation, List<String> members, Object payload, CallOptions options, Function<Object, T> read);
${operations.map((operation) => renderMethods(operation, types)).join('')}}
`;
}

function renderFacts(operation: OperationModel): string {
  const { id, method, path, input, repeat, pages, key, partners, customerSecret } = operation;
  const facts = [`"${id}"`, `"${method}"`, `"${path}"`, `Input.${(input ?? 'none').toUpperCase()}`];
  facts.push(`Repeat.${repeat.toUpperCase()}`, `Pages.${(pages ?? 'none').toUpperCase()}`);
  if (key) facts.push('Extra.API_KEY');
  if (partners) facts.push('Extra.PARTNERS');
  if (customerSecret) facts.push('Extra.CUSTOMER_SECRET');
  return `                    new Operation(${facts.join(', ')})`;
}

/** The method with all arguments, and one for each that may be left out. */
function renderMethods(operation: OperationModel, types: ObjectTypes): string {
  const { id, summary, members, input, pages } = operation;
  const nodes = types.getOperation(id);
  const payload = nodes.input === null ? '' : renderJavaType(nodes.input, true);
  const read = nodes.result === null ? 'JsonObject::asIs' : renderJavaRead(nodes.result);
  const result = nodes.result === null ? 'void' : renderJavaType(nodes.result, false);
  const listed = `List.of(${members.join(', ')})`;
  const parameters = members.map((name) => `String ${name}`);
  const all = [...parameters, ...(input === null ? [] : [`${payload} ${input}`]), 'CallOptions options'];
  const call = `call("${id}", ${listed}, ${input ?? 'null'}, options, ${read});`;
  const main = renderMethod(`${result} ${id}`, all, result === 'void' ? call : `return ${call}`);
  const shorter = [
    ...(input === null ? [] : [{ parameters: [...parameters, `${payload} ${input}`], given: [...members, input] }]),
    ...(input === 'body' ? [] : [{ parameters, given: [...members, ...(input === null ? [] : ['null'])] }]),
  ].map(({ parameters: some, given }) => {
    const forward = `${id}(${[...given, 'CallOptions.none()'].join(', ')});`;
    return renderMethod(`${result} ${id}`, some, result === 'void' ? forward : `return ${forward}`);
  });
  const methods = [...shorter, main].map((method) => `\n${renderJavadoc(`${summary}.`, '    ')}${method}`).join('');
  if (pages === null || nodes.element === null) return methods;
  const element = `Iterable<${renderJavaType(nodes.element, true)}>`;
  const iterate = `return iterate("${id}", ${listed}, ${input ?? 'null'}, CallOptions.none(), ${renderJavaRead(nodes.element)});`;
  const iterator = renderMethod(
    `${element} ${nameIterator(id)}`,
    [...parameters, ...(input === null ? [] : [`${payload} ${input}`])],
    iterate,
  );
  return `${methods}\n${renderJavadoc(`${summary}, from page to page. Without a ${input} the page is the service's choice: pass null.`, '    ')}${iterator}`;
}

function renderMethod(signature: string, parameters: readonly string[], statement: string): string {
  return `    public ${signature}(${parameters.join(', ')}) {\n        ${statement}\n    }\n`;
}
