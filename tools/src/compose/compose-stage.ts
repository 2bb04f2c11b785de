import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ContainerRuntime } from '../images/container-runtime.js';
import { runPage } from '../operations/page-script.js';
import { readComposeFile } from './compose-file.js';
import { ComposeNetwork } from './compose-network.js';
import { type ComposeImage, ComposeProject } from './compose-project.js';
import { findConnectionFindings } from './connection-inspection.js';
import { DockerCommand } from './docker-command.js';

const PAGE = 'docs/operate/run-with-compose.md';
const SCRIPT_MS_MAX = 600_000;

// The part of `pnpm compose-test` that runs in namespaces of its own: there the published ports are free, and everything
// that it starts ends with it.
const [imagesFile = '', folder = ''] = process.argv.slice(2);
const images = JSON.parse(readFileSync(imagesFile, 'utf8')) as Readonly<Record<string, ComposeImage>>;
const { services } = readComposeFile();
const network = new ComposeNetwork(Object.keys(services));
const runtime = new ContainerRuntime();
const project = new ComposeProject({ images, network, runtime, folder, log: say });
const docker = await DockerCommand.open(path.join(folder, 'bin'), project);
const findings: string[] = [];
try {
  const workFolder = path.join(folder, 'work');
  mkdirSync(workFolder);
  const { found, shown } = await runPage({
    page: PAGE,
    cwd: workFolder,
    env: { PATH: `${docker.folder}:${process.env['PATH'] ?? ''}`, HOME: folder },
    limitMs: SCRIPT_MS_MAX,
  });
  for (const [index, output] of found.entries()) {
    if (output !== shown[index])
      findings.push(`${PAGE} shows "${shown[index] ?? ''}", and the commands print "${output}"`);
  }
  say(`the commands of ${PAGE} ran: ${found.length} blocks`);
  const before = project.running;
  await project.up();
  if (project.running.join() !== before.join()) findings.push('a second `up` started or stopped services');
  findings.push(...(await findConnectionFindings(project, network)));
} catch (error) {
  findings.push(error instanceof Error ? error.message : String(error));
  for (const name of project.running) findings.push(`the log of ${name}: ${project.outputOf(name).slice(-2_000)}`);
} finally {
  findings.push(...(await project.stop()));
  docker.close();
  network.close();
  runtime.remove();
}
for (const finding of findings) say(`WRONG: ${finding}`);
process.exitCode = findings.length === 0 ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
