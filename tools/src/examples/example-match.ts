/** The ids and secrets of the examples, with those that the service has given for them. */
export class ExampleNames {
  readonly #real: Map<string, string>;

  constructor(known: Readonly<Record<string, string>>) {
    this.#real = new Map(Object.entries(known));
  }

  /** A value of an example as it is sent: every name in it, also within a text, is the service's own. */
  toReal(value: unknown): unknown {
    if (typeof value === 'string') return this.#replaceNames(value);
    if (Array.isArray(value)) return value.map((each: unknown) => this.toReal(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.toReal(member)]));
  }

  /** Compares an example with what was answered. Returns the differences; without any, new names are learned. */
  match(example: unknown, answer: unknown): readonly string[] {
    const trial = new Map(this.#real);
    const differences = compare({ example, answer, path: '' }, trial);
    if (differences.length === 0) for (const [name, real] of trial) this.#real.set(name, real);
    return differences;
  }

  #replaceNames(text: string): string {
    return this.#real.get(text) ?? replaceNames(text, this.#real);
  }
}

/** A text with the service's own names in place of those of the examples. */
function replaceNames(text: string, names: ReadonlyMap<string, string>): string {
  return [...names].reduce((made, [name, real]) => made.replaceAll(name, real), text);
}

interface Comparison {
  readonly example: unknown;
  readonly answer: unknown;
  readonly path: string;
}

/** Every member of the example must be in the answer. The answer may have more. */
function compare({ example, answer, path }: Comparison, names: Map<string, string>): string[] {
  if (Array.isArray(example)) return compareLists({ example, answer, path }, names);
  if (typeof example === 'object' && example !== null) {
    if (typeof answer !== 'object' || answer === null) return [describe({ example, answer, path })];
    return Object.entries(example).flatMap(([name, member]: [string, unknown]) =>
      member === undefined
        ? []
        : compare({ example: member, answer: Reflect.get(answer, name), path: `${path}.${name}` }, names),
    );
  }
  if (typeof example === 'string' && typeof answer === 'string') return compareTexts({ example, answer, path }, names);
  return Object.is(example, answer) || (typeof answer === 'number' && VOLATILE.test(path))
    ? []
    : [describe({ example, answer, path })];
}

/** Every element of the example must be in the list, at any place. */
function compareLists(
  { example, answer, path }: Comparison & { readonly example: readonly unknown[] },
  names: Map<string, string>,
): string[] {
  if (!Array.isArray(answer)) return [describe({ example, answer, path })];
  const elements: readonly unknown[] = answer;
  return example.flatMap((each: unknown, place) => {
    let closest: string[] = [`${path}[${place}] is in no element of an empty list`];
    for (const element of elements) {
      const trial = new Map(names);
      const differences = compare({ example: each, answer: element, path: `${path}[${place}]` }, trial);
      if (differences.length === 0) {
        for (const [name, real] of trial) names.set(name, real);
        return [];
      }
      if (place === 0 || differences.length < closest.length) closest = differences;
    }
    return closest;
  });
}

/** Members whose values the service makes up: only their kind is compared. */
const VOLATILE =
  /\.(authCode|legacyId|merchantId|orderId|last4|traceId|secret|value|token|key|paReq|md|formAction|stepUpUrl|message|release|queued|count|stepCount|path|tookMs|lastTraceId|text|html|subject|to)$/;

function compareTexts(
  { example, answer, path }: { readonly example: string; readonly answer: string; readonly path: string },
  names: Map<string, string>,
): string[] {
  const known = names.get(example);
  if (known !== undefined) {
    if (known === answer || RENEWED.test(path)) {
      names.set(example, answer);
      return [];
    }
    return [describe({ example: known, answer, path })];
  }
  const kind = findKind(example);
  if (kind === 'name') {
    const isName = findKind(answer) === 'name' && getPrefix(answer) === getPrefix(example);
    if (!isName) return [describe({ example, answer, path })];
    names.set(example, answer);
    return [];
  }
  if (RENEWED.test(path)) {
    names.set(example, answer);
    return answer === '' ? [describe({ example, answer, path })] : [];
  }
  if (kind === 'moment') return findKind(answer) === kind ? [] : [describe({ example, answer, path })];
  if (VOLATILE.test(path) && !/^[A-Z]+$/.test(example)) {
    return (example === '') === (answer === '') ? [] : [describe({ example, answer, path })];
  }
  // A path may contain an id.
  return replaceNames(example, names) === answer ? [] : [describe({ example, answer, path })];
}

/** Secrets: an answer may replace the one that was known. */
const RENEWED = /\.(clientSessionSecret|secret)$/;
const NAME =
  /^(?:(?:pi|si|cust)_sandbox_|tm_sandbox_|ts_sandbox_|(?:cp|rfnd|rvs|ws|sc|evt|acc|key|loc|dlv|pm)_)[\w-]+$|^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$|^[1-6]\.[\w.-]+$|^[\da-f]{16}$/;

function findKind(text: string): 'name' | 'moment' | 'text' {
  if (NAME.test(text)) return 'name';
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return text.startsWith('0001-') ? 'text' : 'moment';
  return 'text';
}

function getPrefix(name: string): string {
  return /^[a-z]+_(sandbox_)?/.exec(name)?.[0] ?? 'uuid';
}

function describe({ example, answer, path }: Comparison): string {
  return `${path}: expected ${JSON.stringify(example)}, found ${JSON.stringify(answer)}`;
}
