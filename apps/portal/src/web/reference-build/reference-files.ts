import { createHash } from 'node:crypto';
import { RELEASES } from '@pos/rest-contracts/versions';
import type {
  EventEntry,
  Guide,
  GuideEntry,
  MarkdownElement,
  MarkdownNode,
  OperationEntry,
  ReferenceIndex,
  ReferenceOperation,
} from '../pages/reference/data/reference-data.js';
import { createDocuments } from './documents.js';
import { createErrorDetails, listErrors } from './errors.js';
import { createGuideLinks, findUsedOperations, type LinkTargets } from './guide-links.js';
import { type GuideSource, readGuides } from './guides.js';
import { parseMarkdown } from './markdown-tree.js';
import { listEvents, listOperations } from './operations.js';

/** The files of the reference, and the address of the index of each release. */
export interface ReferenceFiles {
  /** Content by name. */
  readonly files: ReadonlyMap<string, string>;
  readonly indexes: Readonly<Record<string, string>>;
}

/** Collects files whose names contain a hash of their content: the same content is one file. */
class HashedFiles {
  readonly files = new Map<string, string>();

  /** Returns the address of the file. */
  add(name: string, content: unknown): string {
    const text = JSON.stringify(content);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 10);
    const file = `ref-${name.replaceAll(/[^\w-]/g, '-')}-${hash}.json`;
    this.files.set(file, text);
    return `/assets/${file}`;
  }
}

/** Writes every release of the contract and every guide of the repository as data for the pages. */
export function createReferenceFiles(repository: string): ReferenceFiles {
  const hashed = new HashedFiles();
  const sources = readGuides(repository);
  const releases = [...RELEASES].reverse();
  const indexes = releases.map((release) => {
    const documents = createDocuments(release);
    const operations = addGuides(documents.flatMap(listOperations), sources);
    const events = documents.flatMap(listEvents);
    const index: ReferenceIndex = {
      ...{ release, releases, errors: listErrors() },
      operations: operations.map((operation) => addOperation(hashed, operation)),
      events: events.map((event): EventEntry => ({ kind: event.kind, file: hashed.add(`event-${event.kind}`, event) })),
      guides: addGuideFiles(hashed, sources, { operations, events: new Set(events.map(({ kind }) => kind)) }),
      errorsFile: hashed.add('errors', createErrorDetails(operations)),
    };
    return [release, hashed.add(`index-${release}`, index)] as const;
  });
  return { files: hashed.files, indexes: Object.fromEntries(indexes) };
}

function addGuides(operations: readonly ReferenceOperation[], sources: readonly GuideSource[]): ReferenceOperation[] {
  const used = sources.map(({ id, markdown }) => ({ id, operations: findUsedOperations(markdown, operations) }));
  return operations.map((operation) => ({
    ...operation,
    guides: used.filter((guide) => guide.operations.has(operation.id)).map(({ id }) => id),
  }));
}

function addOperation(hashed: HashedFiles, operation: ReferenceOperation): OperationEntry {
  const { id, method, path, tag, server, summary } = operation;
  const file = hashed.add(id, operation);
  return { id, method, path, tag, server, summary, words: listMemberNames(operation).join(' '), file };
}

/** The names of the members that a caller sends, at the first level. */
function listMemberNames({ parameters, body, schemas }: ReferenceOperation): string[] {
  const { $ref } = body?.schema ?? {};
  const schema = $ref === undefined ? body?.schema : schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  const own = parameters.filter((parameter) => parameter.in !== 'header').map(({ name }) => name);
  return [...own, ...Object.keys(schema?.properties ?? {})];
}

function addGuideFiles(
  hashed: HashedFiles,
  sources: readonly GuideSource[],
  named: Pick<LinkTargets, 'operations' | 'events'>,
): GuideEntry[] {
  const reasons = new Set<string>(listErrors().map(({ reason }) => reason));
  return sources.map((source) => {
    const { id, title, section, markdown } = source;
    const content = parseMarkdown(markdown, createGuideLinks(source, { ...named, reasons, guides: sources }));
    const guide: Guide = { id, title, content };
    return { id, title, section, headings: listHeadings(content), file: hashed.add(`guide-${id}`, guide) };
  });
}

function listHeadings(content: readonly MarkdownElement[]): GuideEntry['headings'] {
  return content.flatMap(({ tag, id, children }) =>
    tag === 'h2' && id !== undefined ? [{ id, title: children.map(readText).join('') }] : [],
  );
}

function readText(node: MarkdownNode): string {
  return typeof node === 'string' ? node : node.children.map(readText).join('');
}
