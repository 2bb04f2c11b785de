import path from 'node:path';
import ts from '@typescript/typescript6';
import { parseSource, PUBLIC_MODULE, type SourceFile } from './source-tree.js';

/** One violation and its position. */
export interface TidinessFinding {
  readonly rule: string;
  /** File and line, in the format that editors open. */
  readonly at: string;
  readonly says: string;
}

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;

/** A name without meaning; a function belongs to the file of its noun. */
const EMPTY_NAMES = ['util', 'utils', 'helper', 'helpers', 'common', 'shared', 'misc', 'types', 'interfaces', 'index'];
/** A class that is named after an action instead of a thing. */
const EMPTY_SUFFIX = /(Manager|Helper|Processor|Handler|Impl)$/;

/** Violations that are found line by line. */
const TEXT_RULES: readonly { readonly rule: string; readonly pattern: RegExp }[] = [
  { rule: 'leftover', pattern: /\b(TODO|FIXME|HACK)\b/ },
  // In code XXX is also the currency code of "no currency".
  { rule: 'leftover', pattern: /(\/\/|\*|--|#).*\bXXX\b/ },
  {
    rule: 'leftover',
    pattern: /(?<!used )\bfor now\b|\bnot (yet )?implemented\b|\bin a real (system|world|application)\b/i,
  },
  {
    rule: 'switched-off-test',
    pattern: /\b(test|it|describe)(\.\w+)*\.(only|skip|todo)\b|^\s*(xit|xtest|xdescribe|fit|fdescribe)\(/,
  },
  {
    rule: 'machine-path',
    pattern: /(^|[\s'"`(=:,[])\/(home|Users|root|work|tmp|mnt|private\/tmp)\/[\w.-]|[A-Z]:\\+Users\\/,
  },
];

/** This file and its tests contain the words that they forbid. */
const ABOUT_TIDINESS = /^tools\/src\/repository\/tidy(\.test)?\.ts$/;
const CODE = /\.(ts|tsx|js|cjs|mjs|sql|proto)$/;
const TYPESCRIPT = /\.tsx?$/;

/** All violations in these files, in their order. */
export function findTidinessFindings(files: readonly SourceFile[]): TidinessFinding[] {
  return files.flatMap((source) => [
    ...findNameFindings(source),
    ...findLengthFindings(source),
    ...findTextFindings(source),
    ...findPathFindings(source),
    ...(TYPESCRIPT.test(source.file) ? findCodeFindings(source) : []),
  ]);
}

function findNameFindings({ file }: SourceFile): TidinessFinding[] {
  if (!CODE.test(file) || PUBLIC_MODULE.test(file)) return [];
  const words = file.split('/').map((word) => word.replace(/\..*$/, ''));
  return words
    .filter((word) => EMPTY_NAMES.includes(word))
    .map((word) => ({ rule: 'empty-name', at: file, says: word }));
}

function findLengthFindings({ file, text }: SourceFile): TidinessFinding[] {
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (!CODE.test(file) || lines <= FILE_LINES_MAX) return [];
  return [{ rule: 'long-file', at: file, says: `${lines} lines, ${FILE_LINES_MAX} at most` }];
}

function findTextFindings({ file, text }: SourceFile): TidinessFinding[] {
  if (ABOUT_TIDINESS.test(file)) return [];
  return text.split('\n').flatMap((line, index) =>
    TEXT_RULES.filter(({ pattern }) => pattern.test(line)).map(({ rule }) => ({
      rule,
      at: `${file}:${index + 1}`,
      says: line.trim().slice(0, 120),
    })),
  );
}

/** Imports, links and configuration that leave the repository: they work on one machine only. */
const CLIMBING = [
  /(?:\bfrom|\bimport|\bimport\(|\brequire\(|\bnew URL\()\s*['"`](\.\.\/[^'"`]*)/g,
  /\]\((\.\.\/[^)#\s]*)/g,
  /^\s*(?:"[^"]*":\s*)?"(\.\.\/[^"]*)"/gm,
];

function findPathFindings({ file, text }: SourceFile): TidinessFinding[] {
  if (ABOUT_TIDINESS.test(file)) return [];
  return CLIMBING.flatMap((pattern) => [...text.matchAll(pattern)])
    .filter((match) => path.posix.normalize(path.posix.join(path.posix.dirname(file), match[1] ?? '')).startsWith('..'))
    .map((match) => ({ rule: 'outside-path', at: `${file}:${lineAt(text, match.index)}`, says: match[1] ?? '' }));
}

function findCodeFindings(sourceFile: SourceFile): TidinessFinding[] {
  const { file } = sourceFile;
  const source = parseSource(sourceFile);
  const findings: TidinessFinding[] = [];
  const checkNode = (node: ts.Node): void => {
    if (isFunction(node)) {
      const from = findLine(node, source);
      const lines = source.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - from;
      if (lines > FUNCTION_LINES_MAX && !isTestGroup(node)) {
        const says = `${lines} lines, ${FUNCTION_LINES_MAX} at most`;
        findings.push({ rule: 'long-function', at: `${file}:${from}`, says });
      }
    }
    if (isNamedShape(node) && EMPTY_SUFFIX.test(node.name?.text ?? '')) {
      findings.push({ rule: 'empty-name', at: `${file}:${findLine(node, source)}`, says: node.name?.text ?? '' });
    }
    ts.forEachChild(node, checkNode);
  };
  checkNode(source);
  return findings;
}

function findLine(node: ts.Node, source: ts.SourceFile): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

function isFunction(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** The function of `describe` groups tests. It is not one unit to understand. */
function isTestGroup(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^describe(?![a-z])/.test(node.parent.expression.getText());
}

function isNamedShape(node: ts.Node): node is ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
