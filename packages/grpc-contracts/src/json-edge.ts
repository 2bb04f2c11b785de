import { JsonEdgeError } from './json-kind.js';
import type { JsonObject, JsonShape } from './json-shape.js';

export { JsonEdgeError };

/**
 * The JSON form of a message, as it travels in JSON-RPC and over HTTP: 64-bit integers are JSON numbers, required
 * members are always written, absent ones never, enums by name, times with three digits and Z.
 * Throws JsonEdgeError when the message lacks what is required or holds a number beyond 2^53.
 */
export function toJson<T>(shape: JsonShape<T>, message: T): JsonObject {
  return shape.write(message, '');
}

/**
 * Reads the JSON form of a message, in every spelling that occurs: lowerCamel, snake_case, known synonyms. Unknown
 * members are ignored, null is absent, unknown enum values are UNKNOWN or absent.
 * Throws JsonEdgeError, which names the member, when something required is missing or has the wrong type.
 */
export function fromJson<T>(shape: JsonShape<T>, json: unknown): T {
  const message = shape.read(json, '');
  // Only a list drops what it cannot make sense of; at the top there is nothing left to read.
  if (message === undefined) throw new JsonEdgeError('', `is no ${shape.name}`);
  return message;
}
