import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runDocker } from '../containers/docker.js';
import { copyCheckout } from '../partners/checkout-copy.js';
import type { InspectedProject } from './connection-inspection.js';

/** The services and volumes of the test have names of their own. */
const NAME = 'pos-compose-test';
const ADDRESS = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';

/** The project that the commands of a page start with Docker Compose, in a copy of the repository. */
export class DockerProject implements InspectedProject {
  constructor(private readonly folder: string) {
    copyCheckout(folder);
  }

  /** The settings with which the commands of the page run. */
  get env(): Readonly<Record<string, string>> {
    return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', COMPOSE_PROJECT_NAME: NAME };
  }

  read(service: string, file: string): string {
    const copy = path.join(this.folder, `${service}-${path.basename(file)}`);
    this.#compose('cp', `${service}:${file}`, copy);
    return readFileSync(copy, 'utf8');
  }

  addressOf(service: string): string {
    return runDocker(['inspect', '--format', ADDRESS, this.#compose('ps', '--quiet', service).trim()]).trim();
  }

  remove(): void {
    this.#compose('--profile', 'commands', 'down', '--volumes');
  }

  #compose(...words: readonly string[]): string {
    const file = path.join(this.folder, 'deploy/compose/compose.yaml');
    return runDocker(['compose', '--project-name', NAME, '--file', file, ...words]);
  }
}
