import { assert } from '@pos/core/refusals';
import { createNumberShapes, createSecretShapes, LeakScan } from '@pos/core/leaks';
import { EXAMPLE_NUMBERS, TEST_NUMBERS } from '@pos/core/cards';
import { normalizeBody } from '@pos/rest-contracts/shapes';
import { openApiDocument, type ApiTitle } from '@pos/rest-contracts/openapi';
import type { Operation } from '@pos/rest-contracts/operation';
import type { Release } from '@pos/rest-contracts/versions';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** An operation in the document of a release. */
interface OperationRelease {
  readonly operation: Operation;
  readonly release: Release;
}

/**
 * Compares requests and answers with the document that the app serves for their release, and throws where they differ:
 * an undescribed status, member or value, a missing member, or card data in an answer without a key. Not used in
 * production.
 */
export class ContractChecker {
  readonly #validatorsByRelease = new Map<string, OpenApiValidator>();
  readonly #components = new Map<Release, Map<string, ValidateFunction>>();

  constructor(
    private readonly operations: readonly Operation[],
    private readonly title: ApiTitle,
  ) {}

  /**
   * `text` is the answer's body as it is sent; null without one. `isPassedOn`: an error whose body is no problem of
   * ours.
   */
  checkResponse(
    { operation, release }: OperationRelease,
    {
      status,
      text,
      isPassedOn = false,
    }: { readonly status: number; readonly text: string | null; readonly isPassedOn?: boolean },
  ) {
    const says = `${operation.id} answers ${status} in ${release}`;
    // A caller with a key may read back its own texts, with any content.
    if (status >= 400 || operation.clientSecret === true) this.checkForLeaks(says, text);
    const reader = this.#getValidator(operation, release);
    const content = reader.find([...buildOperationPath(operation), 'responses', String(status)]);
    assert(content !== undefined, `${says}, which its document does not list`);
    const media = status >= 400 && !isPassedOn ? 'application/problem+json' : 'application/json';
    const schemaPath = [...buildOperationPath(operation), 'responses', String(status), 'content', media, 'schema'];
    if (reader.find(schemaPath) === undefined) {
      assert(text === null, `${says} with a body that is not described`);
      return;
    }
    assert(text !== null, `${says} without the body that is described`);
    reader.validate(schemaPath, { subject: says, value: JSON.parse(text) });
  }

  /** Checks an answer without a description: it contains no card number and no CV2. */
  checkForLeaks(says: string, text: string | null): void {
    const [leak] = text === null ? [] : CARD_SCAN.findInText(text);
    assert(leak === undefined, `${says} with a ${leak?.kind}: ${leak?.excerpt}`);
  }

  /** Checks the body of a request that was answered with success, in its normalised spelling. */
  checkRequestBody({ operation, release }: OperationRelease, sent: unknown): void {
    if (operation.body === undefined) return;
    const schemaPath = [...buildOperationPath(operation), 'requestBody', 'content', 'application/json', 'schema'];
    const { value } = normalizeBody(operation.body, sent ?? {});
    const says = `${operation.id} accepts in ${release} what its document does not describe`;
    this.#getValidator(operation, release).validate(schemaPath, {
      subject: says,
      value: JSON.parse(JSON.stringify(value)),
    });
  }

  /** Compiles the document of one operation only, because all of them would take longer than the tests of one. */
  #getValidator(operation: Operation, release: Release): OpenApiValidator {
    const key = `${release} ${operation.id}`;
    const existing = this.#validatorsByRelease.get(key);
    if (existing !== undefined) return existing;
    const listed = this.operations.filter(({ id }) => id === operation.id);
    const components = this.#components.get(release) ?? new Map<string, ValidateFunction>();
    this.#components.set(release, components);
    const created = new OpenApiValidator(openApiDocument(listed, { ...this.title, webhooks: [] }, release), components);
    this.#validatorsByRelease.set(key, created);
    return created;
  }
}

/** A document in which objects may have only the members that it lists. */
class OpenApiValidator {
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    // One function for each named schema, and no pass that shortens it: most are compiled for a few answers only.
    inlineRefs: false,
    code: { optimize: false },
  });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #document: unknown;

  /** `components`: the validators of named schemas, which are the same in each document of a release. */
  constructor(
    document: object,
    private readonly components: Map<string, ValidateFunction>,
  ) {
    formats.default(this.#ajv);
    this.#ajv.addFormat('int64', true);
    this.#document = closeSchemas(document);
    this.#ajv.addSchema(this.#document as object, DOCUMENT);
  }

  find(path: readonly string[]): unknown {
    return path.reduce<unknown>((here, step) => (isObject(here) ? here[step] : undefined), this.#document);
  }

  validate(path: readonly string[], { subject, value }: { readonly subject: string; readonly value: unknown }): void {
    const validator = this.#validator(path);
    if (validator(value)) return;
    const problems = (validator.errors ?? []).map(({ instancePath, message = '', params }) => {
      return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
    });
    throw new Error(`${subject}: ${problems.slice(0, PROBLEMS_MAX).join('; ')}`);
  }

  #validator(path: readonly string[]): ValidateFunction {
    const schema = this.find(path);
    const name = isObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'].slice(1) : null;
    const pointer = name ?? `/${path.map(encodeStep).join('/')}`;
    const existing = name === null ? this.#validators : this.components;
    const created = existing.get(pointer) ?? this.#ajv.compile({ $ref: `${DOCUMENT}#${pointer}` });
    existing.set(pointer, created);
    return created;
  }
}

/** Keys and secrets may be returned once; card data never. */
const CARD_SCAN = new LeakScan([
  ...createNumberShapes([...TEST_NUMBERS, ...EXAMPLE_NUMBERS]),
  ...createSecretShapes().filter(({ kind }) => kind === 'CV2' || kind === 'wallet token'),
]);

const DOCUMENT = 'openapi';
const PROBLEMS_MAX = 10;

function encodeStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function buildOperationPath({ path, method }: Operation): readonly string[] {
  return ['paths', path, method.toLowerCase()];
}

/** Clients must accept new members; this check must not. */
function closeSchemas(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closeSchemas);
  if (!isObject(part)) return part;
  const created = Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, closeSchemas(inner)]));
  const isClosable =
    created['type'] === 'object' && isObject(created['properties']) && !('additionalProperties' in created);
  return isClosable ? { ...created, additionalProperties: false } : created;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
