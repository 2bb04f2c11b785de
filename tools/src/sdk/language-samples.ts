import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';

/** A program of a README and the output that the README promises. */
export interface Sample {
  /** The name of its file. */
  readonly name: string;
  readonly text: string;
  readonly output: string;
}

/** A program: its first line of its own is the name of its file, and a `text` block right below is its output. */
const SAMPLE = /^```\w+\n((?:<\?php\n)?(?:#|\/\/) ([\w.-]+)\n.*?)^```\n\n```text\n(.*?)^```\n/gms;

/** The programs of the README of a language, in their order. Throws if there are none. */
export function listSamples(folder: string): readonly Sample[] {
  const markdown = readFileSync(path.join(REPOSITORY, 'sdks', folder, 'README.md'), 'utf8');
  const samples = [...markdown.matchAll(SAMPLE)].map(([, text = '', name = '', output = '']) => ({
    ...{ name, text, output },
  }));
  if (samples.length === 0) throw new Error(`the README of ${folder} has no program`);
  return samples;
}

/** Writes the program where an integrator would have it, and returns its path. */
export function writeSample(scratch: string, { name, text }: Sample): string {
  mkdirSync(scratch, { recursive: true });
  const file = path.join(scratch, name);
  writeFileSync(file, text);
  return file;
}
