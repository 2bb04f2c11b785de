/** Why a text is not well-formed XML 1.0, or null: matching tags, quoted attributes, known references. */
export function findXmlViolation(text: string): string | null {
  const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.exec(text);
  if (unwritable !== null) return `a character that XML cannot hold at ${unwritable.index}`;
  const open: string[] = [];
  let hasRoot = false;
  let rest = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/, '');
  if (rest.length === text.length) return 'no declaration';
  while (rest !== '') {
    const token = TOKEN.exec(rest);
    if (token === null) return `nothing that XML has: ${rest.slice(0, 40)}`;
    rest = rest.slice(token[0].length);
    const { start, attributes = '', empty, end, content } = token.groups ?? {};
    if (content !== undefined) {
      const isOutside = open.length === 0 && content.trim() !== '';
      if (isOutside || content.includes(']]>')) return `text where none may be: ${content.slice(0, 40)}`;
    } else if (start !== undefined) {
      if (open.length === 0 && hasRoot) return `a second root ${start}`;
      hasRoot = true;
      const names = [...attributes.matchAll(/([\w.-]+)=/g)].map((match) => match[1]);
      if (new Set(names).size < names.length) return `an attribute twice in ${start}`;
      if (empty === '') open.push(start);
    } else if (open.pop() !== end) return `</${end ?? ''}> where it does not belong`;
  }
  if (!hasRoot) return 'no root';
  return open.length === 0 ? null : `<${open.join('><')}> is not closed`;
}

const TEXT = String.raw`(?:[^<&]|&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)`;
const VALUE = String.raw`"(?:[^<&"]|&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)*"`;
const TOKEN = new RegExp(
  String.raw`^(?:<(?<start>[a-z][\w.-]*)(?<attributes>(?:\s+[a-z][\w.-]*=${VALUE})*)\s*(?<empty>/?)>|</(?<end>[a-z][\w.-]*)>|(?<content>${TEXT}+))`,
);
