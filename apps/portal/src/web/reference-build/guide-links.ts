import path from 'node:path';
import { SDK_METHODS } from '@pos/rest-contracts/samples';
import type { ReferenceOperation } from '../pages/reference/data/reference-data.js';
import { type GuideSource, toGuideId } from './guides.js';
import type { MarkdownLinks } from './markdown-tree.js';

/** The list of errors: its rows are pages of the reference. */
const ERROR_CODES = 'docs/reference/error-codes.md';

/** What the reference has pages for. */
export interface LinkTargets {
  readonly operations: readonly ReferenceOperation[];
  readonly reasons: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
  readonly guides: readonly GuideSource[];
}

/** The links of a guide inside the reference. What the reference does not show stays text. */
export function createGuideLinks({ page }: Pick<GuideSource, 'page'>, targets: LinkTargets): MarkdownLinks {
  const pages = new Set(targets.guides.map((guide) => guide.page));
  const resolveLink = (href: string): string | null => {
    if (/^https?:/.test(href)) return href;
    const [file = '', anchor = ''] = href.split('#', 2);
    const target = file === '' ? page : path.posix.normalize(path.posix.join(path.posix.dirname(page), file));
    if (target === ERROR_CODES) return targets.reasons.has(anchor) ? toErrorAddress(anchor) : '/reference/errors';
    if (!pages.has(target)) return null;
    return `/reference/guides/${toGuideId(target)}${anchor === '' ? '' : `#${anchor}`}`;
  };
  return { resolveLink, resolveName: (text) => resolveName(text, targets) };
}

function resolveName(text: string, { operations, reasons, events }: LinkTargets): string | null {
  if (reasons.has(text) && text.includes('_')) return toErrorAddress(text);
  if (events.has(text)) return `/reference/events/${text}`;
  const [, method, address = ''] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/.exec(text) ?? [];
  const operation = operations.find((each) =>
    method === undefined ? each.id === text : each.method === method && toPattern(each.path) === toPattern(address),
  );
  return operation === undefined ? null : `/reference/operations/${operation.id}`;
}

function toErrorAddress(reason: string): string {
  return `/reference/errors/${reason}`;
}

/** The operations that a guide names, or calls in a sample: with curl, with the SDK or with the command. */
export function findUsedOperations(markdown: string, operations: readonly ReferenceOperation[]): ReadonlySet<string> {
  const text = markdown
    .replaceAll(/\$\((?![^()]*\b(?:api|vault) )[^()]*\)/g, '{}')
    .replaceAll(/\$\{?\w+(?:[^}\s/"]*\})?/g, '{}');
  const requests = [
    ...[...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`\s]+)`/g)].map(([, method = '', address = '']) => ({
      method,
      address,
    })),
    ...[...text.matchAll(/\b(?:api|vault) "?(\/[^\s"|)']+)"?([^|\n]*)/g)].map(([, address = '', flags = '']) => ({
      method: /-X (\w+)/.exec(flags)?.[1] ?? (/ -d /.test(flags) ? 'POST' : 'GET'),
      address,
    })),
  ].map(({ method, address }) => `${method} ${toPattern(address)}`);
  const methods = new Set([...text.matchAll(/\b((?:pos|payer)\.\w+(?:\.\w+)?)\(/g)].map(([, method = '']) => method));
  const commands = new Set([...text.matchAll(/\bpos api (\w+)|`(\w+)`/g)].map(([, id, named]) => id ?? named ?? ''));
  const used = operations.filter(
    ({ id, method, path: address }) =>
      commands.has(id) || methods.has(SDK_METHODS[id] ?? '') || requests.includes(`${method} ${toPattern(address)}`),
  );
  return new Set(used.map(({ id }) => id));
}

/** The path without its query and the names of its members. */
function toPattern(address: string): string {
  return (address.split('?', 1)[0] ?? '').replaceAll(/\{\w*\}/g, '{}');
}
