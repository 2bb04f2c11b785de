import type { SchemeName } from './schemes.js';

const SVG = 'http://www.w3.org/2000/svg';

type Part = readonly [
  tag: 'rect' | 'circle' | 'path' | 'text',
  attributes: Readonly<Record<string, string>>,
  text?: string,
];

const CARD = (fill: string): Part => ['rect', { width: '38', height: '24', rx: '4', fill, stroke: '#d5d9df' }];
const WORD = (
  fill: string,
  size: string,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  ...{ x: '19', y: '16', fill, 'text-anchor': 'middle', 'font-size': size },
  ...{ 'font-family': 'Arial, Helvetica, sans-serif', 'font-weight': '700', ...more },
});

/** Small signs of the schemes, each on a card of 38 by 24. */
const MARKS = {
  VISA: [CARD('#ffffff'), ['text', WORD('#1434cb', '11', { 'font-style': 'italic', 'letter-spacing': '0.4' }), 'VISA']],
  MASTERCARD: [
    CARD('#ffffff'),
    ['circle', { cx: '15', cy: '12', r: '7', fill: '#eb001b' }],
    ['circle', { cx: '23', cy: '12', r: '7', fill: '#f79e1b' }],
    ['path', { d: 'M19 6.26a7 7 0 0 1 0 11.48a7 7 0 0 1 0-11.48z', fill: '#ff5f00' }],
  ],
  MAESTRO: [
    CARD('#ffffff'),
    ['circle', { cx: '15', cy: '12', r: '7', fill: '#eb001b' }],
    ['circle', { cx: '23', cy: '12', r: '7', fill: '#00a2e5' }],
    ['path', { d: 'M19 6.26a7 7 0 0 1 0 11.48a7 7 0 0 1 0-11.48z', fill: '#7375cf' }],
  ],
  AMEX: [CARD('#016fd0'), ['text', WORD('#ffffff', '9'), 'AMEX']],
  DISCOVER: [
    CARD('#ffffff'),
    ['path', { d: 'M38 13v7a4 4 0 0 1-4 4H14c9-2 18-6 24-11z', fill: '#f47216' }],
    ['text', WORD('#201d1c', '6.4', { y: '12' }), 'DISCOVER'],
  ],
  DCI: [
    CARD('#ffffff'),
    ['circle', { cx: '19', cy: '12', r: '8', fill: '#004a97' }],
    ['path', { d: 'M17 7.4v9.2a5 5 0 0 1 0-9.2zm4 0v9.2a5 5 0 0 0 0-9.2z', fill: '#ffffff' }],
  ],
} as const satisfies Readonly<Record<SchemeName, readonly Part[]>>;

/** The schemes that the frame has a sign of, in the order of the list. */
export function filterSchemes(names: readonly unknown[]): SchemeName[] {
  return names.filter((name): name is SchemeName => typeof name === 'string' && Object.hasOwn(MARKS, name));
}

export function createSchemeMark(name: SchemeName): SVGElement {
  const mark = document.createElementNS(SVG, 'svg');
  setAttributes(mark, { viewBox: '0 0 38 24', 'aria-hidden': 'true', 'data-scheme': name });
  for (const [tag, attributes, text = ''] of MARKS[name] as readonly Part[]) {
    const part = document.createElementNS(SVG, tag);
    setAttributes(part, attributes);
    part.textContent = text;
    mark.append(part);
  }
  return mark;
}

function setAttributes(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
