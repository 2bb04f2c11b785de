import { readPage } from '../docs/page-blocks.js';

/** A program in TypeScript that a page shows. */
export interface PageProgram {
  readonly name: string;
  readonly text: string;
  /** The `text` block right below it; null for a program that is only compiled. */
  readonly output: string | null;
}

/** Its first line is its name. */
const PROGRAM = /^```ts\n\/\/ ([\w-]+)\.ts\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms;

/** The programs of a page in their order. */
export function listPrograms(page: string): PageProgram[] {
  return [...readPage(page).matchAll(PROGRAM)].map(([, name = '', text = '', output]) => ({
    ...{ name, text, output: output ?? null },
  }));
}
