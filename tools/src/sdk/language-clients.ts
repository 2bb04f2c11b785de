import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';

const LIMIT_MS = 240_000;
const OUTPUT_BYTES_MAX = 8 * 2 ** 20;
const SDKS = path.join(REPOSITORY, 'sdks');

/** How programs in a language are run with its client. */
export interface LanguageClient {
  readonly name: string;
  /** The folder below `sdks`. */
  readonly folder: string;
  /** The program that prints what the client does with the vectors. */
  readonly checker: string;
  /** Every program that it needs, with the argument that shows whether it is there. */
  readonly runtime: readonly (readonly [program: string, versionFlag: string])[];
  /** The command that runs a program with the arguments. Files that it makes are in the scratch folder. */
  run(program: ClientProgram, words: readonly string[]): Promise<string>;
}

/** A program in the language of a client. */
export interface ClientProgram {
  /** Absolute. */
  readonly file: string;
  /** Where compilers may write. */
  readonly scratch: string;
  /** Where the command runs; the scratch folder when left out. */
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What it reads from its standard input; empty when left out. */
  readonly input?: string;
}

const PYTHON: LanguageClient = {
  ...{ name: 'Python', folder: 'python', checker: 'check_vectors.py', runtime: [['python3', '--version']] },
  run: async (program, words) =>
    execute(['python3', '-B', program.file, ...words], {
      ...program,
      environment: { ...program.environment, PYTHONPATH: path.join(SDKS, 'python') },
    }),
};

/** A compiler that starts in half the time, because it does not optimise itself. */
const QUICK_COMPILER = ['-proc:none', '-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];

const JAVA: LanguageClient = {
  ...{ name: 'Java', folder: 'java', checker: 'check/pos/client/CheckVectors.java' },
  runtime: [
    ['javac', '-version'],
    ['java', '-version'],
  ],
  run: async (program, words) => {
    const compile = ['javac', '-Xlint:all', '-Werror', '--release', '11', ...QUICK_COMPILER];
    // Classes that an earlier program has compiled are taken from the scratch folder.
    const folders = ['-d', program.scratch, '-cp', program.scratch, '-sourcepath', path.join(SDKS, 'java')];
    await execute([...compile, '-implicit:class', ...folders, program.file], program);
    const packageName = /^package ([\w.]+);/m.exec(readFileSync(program.file, 'utf8'))?.[1];
    const name = path.basename(program.file, '.java');
    const main = packageName === undefined ? name : `${packageName}.${name}`;
    // The first compiler is enough for a program of a second.
    return execute(['java', '-XX:TieredStopAtLevel=1', '-cp', program.scratch, main, ...words], program);
  },
};

const GO: LanguageClient = {
  ...{ name: 'Go', folder: 'go', checker: 'internal/checkvectors/main.go', runtime: [['go', 'version']] },
  run: async (program, words) => {
    const module = path.join(SDKS, 'go');
    // Packages of the module itself are run in it. Other programs are modules that use it.
    if (program.file.startsWith(module)) {
      return execute(['go', 'run', '.', ...words], { ...program, folder: path.dirname(program.file) });
    }
    const uses = `require example.com/pos-sdk v0.0.0\nreplace example.com/pos-sdk => ${module}\n`;
    writeFileSync(path.join(program.scratch, 'go.mod'), `module integrator\n\ngo 1.19\n\n${uses}`);
    // A program that another one in the folder is not part of.
    return execute(['go', 'run', program.file, ...words], program);
  },
};

const PHP: LanguageClient = {
  ...{ name: 'PHP', folder: 'php', checker: 'check_vectors.php', runtime: [['php', '--ri=curl']] },
  // Warnings and notices are failures.
  run: async (program, words) =>
    execute(['php', '-d', 'error_reporting=-1', '-d', 'display_errors=stderr', program.file, ...words], program),
};

/** The clients that a program can be run with. */
export const LANGUAGE_CLIENTS: readonly LanguageClient[] = [PYTHON, JAVA, GO, PHP];

/** A verifier of webhooks and no client; run with the compiler and the runtime of Mono. */
export const CSHARP = {
  name: 'C#',
  runtime: [
    ['mcs', '--version'],
    ['mono', '--version'],
  ],
} as const;

/** Runs a program with the verifier and this input. */
export async function runCSharp(file: string, scratch: string, input: string): Promise<string> {
  const binary = path.join(scratch, 'program.exe');
  const sources = [file, ...listFiles('csharp/Pos.Webhooks', '.cs')];
  await execute(['mcs', '-warnaserror', `-out:${binary}`, ...sources], { scratch });
  return execute(['mono', binary], { scratch, input });
}

/** Whether this machine can run programs in the language. */
export function isInstalled({ runtime }: Pick<LanguageClient, 'runtime'>): boolean {
  return runtime.every(([program, flag]) => spawnSync(program, [flag]).status === 0);
}

/** Says in the log of the test that a language was not tested. */
export function reportAbsence(name: string): void {
  process.stdout.write(`  NOT RUN: ${name} is not installed here\n`);
}

/** Runs a command to its end and returns its output. Throws with what it says of an error. */
async function execute(
  [command = '', ...words]: readonly string[],
  { scratch, folder = scratch, environment, input = '' }: Omit<ClientProgram, 'file'>,
): Promise<string> {
  mkdirSync(scratch, { recursive: true });
  const options = {
    ...{ cwd: folder, timeout: LIMIT_MS, maxBuffer: OUTPUT_BYTES_MAX },
    env: { ...process.env, ...environment },
  };
  return new Promise((resolve, reject) => {
    const { stdin } = execFile(command, words, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${words.join(' ')}: ${error.message}\n${stderr}\n${stdout}`));
    });
    stdin?.end(input);
  });
}

function listFiles(folder: string, extension: string): readonly string[] {
  return readdirSync(path.join(SDKS, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension))
    .map((file) => path.join(SDKS, folder, file));
}
