import { type Token, type Tokens, lexer } from 'marked';
import type { MarkdownElement, MarkdownNode, MarkdownTag } from '../pages/reference/data/reference-data.js';

/** How the tree of a page is made. */
export interface MarkdownLinks {
  /** The address in the reference for a link of the page; null for one that leads to no page of it. */
  readonly resolveLink: (href: string) => string | null;
  /** The address in the reference of what a text in backticks names; null for most texts. */
  readonly resolveName: (text: string) => string | null;
}

/**
 * The page as a tree of elements, without its title. HTML and images of the page are left out: a tree has only the
 * elements of Markdown, so a page cannot bring a script.
 */
export function parseMarkdown(markdown: string, links: MarkdownLinks): MarkdownElement[] {
  const blocks = lexer(markdown.replaceAll(/<!--.*?-->/gs, ''), { gfm: true });
  return convertBlocks(blocks, links).filter((node): node is MarkdownElement => typeof node !== 'string');
}

/** The id of a heading, as other viewers of Markdown make it. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

function convertBlocks(tokens: readonly Token[], links: MarkdownLinks): MarkdownNode[] {
  return tokens.flatMap((token) => convertBlock(token, links));
}

function convertBlock(token: Token, links: MarkdownLinks): MarkdownNode[] {
  switch (token.type) {
    case 'heading':
      return convertHeading(token as Tokens.Heading, links);
    case 'paragraph':
      return element('p', convertInlines((token as Tokens.Paragraph).tokens, links));
    case 'list':
      return convertList(token as Tokens.List, links);
    case 'table':
      return convertTable(token as Tokens.Table, links);
    case 'code': {
      const { text, lang = '' } = token as Tokens.Code;
      return [{ tag: 'pre', children: [text], language: lang }];
    }
    case 'blockquote':
      return element('blockquote', convertBlocks((token as Tokens.Blockquote).tokens, links));
    case 'hr':
      return element('hr', []);
    case 'text':
      return convertInlines((token as Tokens.Text).tokens ?? [token], links);
    default:
      return [];
  }
}

/** The title of the page is shown by its frame. */
function convertHeading({ depth, tokens, text }: Tokens.Heading, links: MarkdownLinks): MarkdownNode[] {
  if (depth === 1) return [];
  const tag = depth === 2 ? 'h2' : depth === 3 ? 'h3' : 'h4';
  return [{ tag, id: toAnchor(text), children: convertInlines(tokens, links) }];
}

function convertList({ ordered, items, start }: Tokens.List, links: MarkdownLinks): MarkdownNode[] {
  const children = items.flatMap(({ tokens }) => element('li', convertBlocks(tokens, links)));
  return [{ tag: ordered ? 'ol' : 'ul', children, ...(ordered && start !== '' && start !== 1 && { start }) }];
}

function convertTable({ header, rows }: Tokens.Table, links: MarkdownLinks): MarkdownNode[] {
  const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
    element(
      'tr',
      cells.flatMap(({ tokens }) => element(tag, convertInlines(tokens, links))),
    );
  const body = rows.flatMap((cells) => row(cells, 'td'));
  return element('table', [...element('thead', row(header, 'th')), ...element('tbody', body)]);
}

function convertInlines(tokens: readonly Token[], links: MarkdownLinks): MarkdownNode[] {
  return tokens.flatMap((token) => convertInline(token, links));
}

function convertInline(token: Token, links: MarkdownLinks): MarkdownNode[] {
  switch (token.type) {
    case 'strong':
    case 'em':
      return element(token.type, convertInlines((token as Tokens.Strong).tokens, links));
    case 'codespan':
      return convertCode(token as Tokens.Codespan, links);
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      const to = links.resolveLink(href);
      const children = convertInlines(tokens, { ...links, resolveName: () => null });
      return to === null ? children : [{ tag: 'a', to, children }];
    }
    case 'br':
      return element('br', []);
    case 'html':
      return /^<br\s*\/?>$/.test((token as Tokens.Tag).text.trim()) ? element('br', []) : [];
    case 'image':
      return [];
    default:
      return 'tokens' in token ? convertInlines(token.tokens, links) : [(token as Tokens.Text).text];
  }
}

function convertCode({ text }: Tokens.Codespan, { resolveName }: MarkdownLinks): MarkdownNode[] {
  const code = element('code', [text]);
  const to = resolveName(text);
  return to === null ? code : [{ tag: 'a', to, children: code }];
}

function element(tag: MarkdownTag, children: readonly MarkdownNode[]): MarkdownElement[] {
  return [{ tag, children }];
}
