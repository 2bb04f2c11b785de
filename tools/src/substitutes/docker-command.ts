import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { CommandEnd } from '../processes/running-process.js';
import type { ComposeProject } from './compose-project.js';

const FILE_WORDS = ['compose', '-f', 'deploy/compose/compose.yaml'];
const UP_WORDS = ['--build', '--wait'];
const RUN_WORDS = ['--rm', '--no-deps', '-T'];

/** What the program sends: its arguments and its folder. */
interface DockerCall {
  readonly words: readonly string[];
  readonly folder: string;
}

/**
 * A program `docker` for the scripts of a page. It passes the commands of Compose that the page may show to a project of
 * this process, and refuses any other.
 */
export class DockerCommand {
  readonly #server: Server;

  private constructor(
    readonly folder: string,
    private readonly project: ComposeProject,
  ) {
    this.#server = createServer((request, reply) => {
      void text(request)
        .then((body) => this.#run(JSON.parse(body) as DockerCall))
        .catch((error: unknown) => ({ code: 1, output: `${error instanceof Error ? error.message : String(error)}\n` }))
        .then(({ code, output }) => reply.writeHead(200, { 'exit-code': code ?? 137 }).end(output));
    });
  }

  /** Opens the program in a folder, which is added to PATH. */
  static async open(folder: string, project: ComposeProject): Promise<DockerCommand> {
    const command = new DockerCommand(folder, project);
    const socket = path.join(folder, 'docker.sock');
    mkdirSync(folder);
    const program = path.join(folder, 'docker');
    writeFileSync(program, `#!${process.execPath}\n${PROGRAM.replace('SOCKET', JSON.stringify(socket))}`);
    chmodSync(program, 0o755);
    await new Promise<void>((resolve) => command.#server.listen(socket, resolve));
    return command;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #run({ words, folder }: DockerCall): Promise<CommandEnd> {
    const [verb, ...rest] = words.slice(FILE_WORDS.length);
    if (!startsWith(words, FILE_WORDS)) return refuse(words);
    if (verb === 'up' && startsWith(rest, UP_WORDS) && rest.length === UP_WORDS.length) {
      await this.project.up();
      return { code: 0, output: '' };
    }
    if (verb === 'run' && startsWith(rest, RUN_WORDS)) {
      const [service = '', ...own] = rest.slice(RUN_WORDS.length);
      return this.project.run(service, own);
    }
    if (verb === 'cp' && rest.length === 2) {
      const [from = '', to = ''] = rest;
      const [service = '', file = ''] = from.split(':');
      writeFileSync(path.resolve(folder, to), this.project.read(service, file));
      return { code: 0, output: '' };
    }
    return refuse(words);
  }
}

function startsWith(words: readonly string[], first: readonly string[]): boolean {
  return first.every((word, index) => words[index] === word);
}

function refuse(words: readonly string[]): CommandEnd {
  return { code: 125, output: `this test has no command: docker ${words.join(' ')}\n` };
}

const PROGRAM = `
const { request } = require('node:http');
const call = request({ socketPath: SOCKET, method: 'POST' }, (answer) => {
  const code = Number(answer.headers['exit-code']);
  answer.pipe(code === 0 ? process.stdout : process.stderr);
  answer.on('end', () => (process.exitCode = code));
});
call.end(JSON.stringify({ words: process.argv.slice(2), folder: process.cwd() }));
`;
