import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ContainerRuntime } from '../substitutes/container-runtime.js';
import { readComposeFile } from '../substitutes/compose-file.js';
import { ComposeNetwork } from '../substitutes/compose-network.js';
import { type ComposeImage, ComposeProject } from '../substitutes/compose-project.js';
import { runComposePage } from './compose-page.js';
import { findConnectionFindings } from './connection-inspection.js';
import { DockerCommand } from '../substitutes/docker-command.js';

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
  const env = { PATH: `${docker.folder}:${process.env['PATH'] ?? ''}`, HOME: folder };
  findings.push(...(await runComposePage(workFolder, env)));
  const before = project.running;
  await project.up();
  if (project.running.join() !== before.join()) findings.push('a second `up` started or stopped services');
  findings.push(
    ...(await findConnectionFindings({
      read: (service, file) => project.read(service, file),
      addressOf: (service) => network.addressOf(service),
    })),
  );
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
