import type { Method } from '@pos/rest-contracts/operation';
import type { SampleExample, SampleServer } from '@pos/rest-contracts/samples';

// What the build writes for the pages of the reference: one file per release, operation, event and guide. The names of
// the files contain a hash of their content, so that releases share what they have in common.

/** Everything that the reference of a release has, for its navigation and its search. */
export interface ReferenceIndex {
  readonly release: string;
  /** Newest first. */
  readonly releases: readonly string[];
  readonly operations: readonly OperationEntry[];
  readonly events: readonly EventEntry[];
  readonly guides: readonly GuideEntry[];
  readonly errors: readonly ErrorEntry[];
  /** The address of `ErrorDetails`. */
  readonly errorsFile: string;
}

/** Who serves an operation; `epos` are the calls that an EPOS serves. */
export type ReferenceServer = SampleServer | 'epos';

export interface OperationEntry {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly tag: string;
  readonly server: ReferenceServer;
  readonly summary: string;
  /** The names of the members of its body, for the search. */
  readonly words: string;
  readonly file: string;
}

export interface EventEntry {
  readonly kind: string;
  readonly file: string;
}

export interface GuideEntry {
  readonly id: string;
  readonly title: string;
  readonly section: GuideSection;
  readonly headings: readonly { readonly id: string; readonly title: string }[];
  readonly file: string;
}

export type GuideSection = 'start' | 'payments' | 'restaurant' | 'tools' | 'lists';

export interface ErrorEntry {
  readonly reason: string;
  readonly status: number;
  readonly meaning: string;
}

/** One operation of a release, with every shape that it refers to. */
export interface ReferenceOperation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly tag: string;
  readonly server: ReferenceServer;
  readonly summary: string;
  readonly description: string;
  /** Null: no API key. `any`: every key. */
  readonly permission: string | null;
  readonly parameters: readonly ReferenceParameter[];
  readonly body: ReferenceBody | null;
  /** Answers that are no problems. */
  readonly answers: readonly ReferenceAnswer[];
  readonly problems: readonly ReferenceProblem[];
  /** Those that succeed first. */
  readonly examples: readonly ReferenceExample[];
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The guides that use or name the operation. */
  readonly guides: readonly string[];
}

export interface ReferenceParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface ReferenceBody {
  readonly isRequired: boolean;
  readonly schema: Schema;
}

export interface ReferenceAnswer {
  readonly status: string;
  readonly description: string;
  readonly schema: Schema | null;
}

export interface ReferenceProblem {
  readonly status: number;
  readonly title: string;
  readonly reasons: readonly string[];
}

/** A request that a test has sent, and the answer that it has received. */
export interface ReferenceExample extends SampleExample {
  readonly name: string;
  readonly summary: string;
  readonly status: number;
  /** Absent for an answer without a body. */
  readonly answer?: unknown;
}

/** An event that the service sends to a subscription. */
export interface ReferenceEvent {
  readonly kind: string;
  readonly headers: readonly ReferenceParameter[];
  readonly schema: Schema;
  /** Null: the contract has none. */
  readonly example: unknown;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** The part of JSON Schema that the documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The explanations of all reasons. */
export type ErrorDetails = Readonly<Record<string, ErrorDetail>>;

export interface ErrorDetail {
  readonly status: number;
  readonly title: string;
  readonly meaning: string;
  readonly action: string;
  readonly repeat: string;
  readonly operations: readonly string[];
}

/** A page of Markdown as a tree, because the policy of the pages forbids HTML as text. */
export interface Guide {
  readonly id: string;
  readonly title: string;
  readonly content: readonly MarkdownNode[];
}

export type MarkdownNode = string | MarkdownElement;

export interface MarkdownElement {
  readonly tag: MarkdownTag;
  readonly children: readonly MarkdownNode[];
  readonly id?: string;
  /** Of links: an address of the reference begins with `/reference`. */
  readonly to?: string;
  /** Of blocks of code. */
  readonly language?: string;
  /** Of the first number of an ordered list. */
  readonly start?: number;
}

// oxfmt-ignore
export type MarkdownTag =
  | 'p' | 'h2' | 'h3' | 'h4' | 'ul' | 'ol' | 'li' | 'strong' | 'em' | 'code' | 'pre' | 'blockquote' | 'a' | 'br' | 'hr'
  | 'table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td';
