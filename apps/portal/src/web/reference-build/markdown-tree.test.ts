import { expect, test } from '@jest/globals';
import type { MarkdownNode } from '../pages/reference/data/reference-data.js';
import { type MarkdownLinks, parseMarkdown, toAnchor } from './markdown-tree.js';

const LINKS: MarkdownLinks = {
  resolveLink: (href) => (href.startsWith('javascript:') ? null : `/reference/${href}`),
  resolveName: (text) => (text === 'createPaymentIntent' ? '/reference/operations/createPaymentIntent' : null),
};

const parse = (markdown: string): readonly MarkdownNode[] => parseMarkdown(markdown, LINKS);

test.each<[string, string, unknown]>([
  [
    'a paragraph',
    'One *two* **three**.',
    [
      {
        tag: 'p',
        children: ['One ', { tag: 'em', children: ['two'] }, ' ', { tag: 'strong', children: ['three'] }, '.'],
      },
    ],
  ],
  ['a heading', '## Take a payment', [{ tag: 'h2', id: 'take-a-payment', children: ['Take a payment'] }]],
  ['the title, which its frame shows', '# Title', []],
  ['a block of code', '```sh\necho <b>\n```', [{ tag: 'pre', language: 'sh', children: ['echo <b>'] }]],
  [
    'a link',
    '[errors](errors)',
    [{ tag: 'p', children: [{ tag: 'a', to: '/reference/errors', children: ['errors'] }] }],
  ],
  ['a link to nowhere', '[errors](javascript:alert)', [{ tag: 'p', children: ['errors'] }]],
  [
    'a name',
    '`createPaymentIntent`',
    [
      {
        tag: 'p',
        children: [
          {
            tag: 'a',
            to: '/reference/operations/createPaymentIntent',
            children: [{ tag: 'code', children: ['createPaymentIntent'] }],
          },
        ],
      },
    ],
  ],
  [
    'a name inside a link',
    '[`createPaymentIntent`](x)',
    [
      {
        tag: 'p',
        children: [{ tag: 'a', to: '/reference/x', children: [{ tag: 'code', children: ['createPaymentIntent'] }] }],
      },
    ],
  ],
  ['a list that begins at 3', '3. three', [{ tag: 'ol', start: 3, children: [{ tag: 'li', children: ['three'] }] }]],
  ['a comment', '<!-- kinds -->\n\ntext', [{ tag: 'p', children: ['text'] }]],
  ['a line break of a table', 'one<br>two', [{ tag: 'p', children: ['one', { tag: 'br', children: [] }, 'two'] }]],
  ['an image', '![a page](page.png)', [{ tag: 'p', children: [] }]],
])('%s becomes elements', (_, markdown, tree) => {
  expect(parse(markdown)).toEqual(tree);
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'text <svg onload=alert(1)> text',
  '<a href="javascript:alert(1)">x</a>',
  '<style>*{}</style>',
])('%s makes no element of its own', (markdown) => {
  const tags = (nodes: readonly MarkdownNode[]): string[] =>
    nodes.flatMap((node) => (typeof node === 'string' ? [] : [node.tag, ...tags(node.children)]));
  expect(tags(parse(markdown)).filter((tag) => tag !== 'p')).toEqual([]);
});

test.each([
  ['Take a payment online with 3-D Secure', 'take-a-payment-online-with-3-d-secure'],
  ['What’s new?', 'whats-new'],
  ['`pos listen`', 'pos-listen'],
])('the heading "%s" has the anchor %s', (heading, anchor) => {
  expect(toAnchor(heading)).toBe(anchor);
});
