import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { ImageTool } from '../containers/image-tool.js';
import { formatMegabytes, inspectRuntimeFolder } from './folder-inspection.js';
import type { LoneApps } from './lone-app-settings.js';
import { IMAGE_USER } from '../substitutes/machine-base.js';
import { COMMAND_APPS } from './runtime-folder.js';
import type { RunningProcess } from '../processes/running-process.js';

/** What an image is tested with. */
export interface ImageStage {
  readonly tool: ImageTool;
  readonly apps: LoneApps;
  /** The release that the build names. */
  readonly release: string;
}

/** The result of a test: one line about the image, and what is wrong with it, one sentence each. */
export interface ImageReport {
  readonly summary: string;
  readonly findings: readonly string[];
}

/** Where an image has the files of its app. */
const APP_FOLDER = '/app';
const LOOPBACK = '127.0.0.1';
/** 128 plus the number of the signal. */
const SIGTERM_EXIT_CODE = 143;

/** Inspects an image that was built under the name of its app, and starts one read-only container of it. */
export async function testImage(app: string, stage: ImageStage): Promise<ImageReport> {
  const { tool, apps, release } = stage;
  const image = tool.describe(app);
  const { files, bytes, findings } = inspectRuntimeFolder(tool.exportFolder(app, APP_FOLDER));
  const wrong = [...findings];
  if (image.user !== `${IMAGE_USER}:${IMAGE_USER}`) wrong.push(`the image runs as ${image.user}`);
  const labelled = image.labels['org.opencontainers.image.version'];
  if (labelled !== release) wrong.push(`the image is labelled as release ${labelled ?? 'unknown'}`);
  const failure = COMMAND_APPS.includes(app)
    ? await runCommands(app, stage)
    : await runService(app, { ...stage, settings: await apps.settings(app) });
  if (failure !== null) wrong.push(failure);
  const did = COMMAND_APPS.includes(app)
    ? 'showed its help, checked the schema, and stopped on its signal'
    : 'started read-only, was healthy, showed its release, and stopped on its signal';
  const size = `${files} files, ${formatMegabytes(bytes)}`;
  return { summary: wrong.length === 0 ? `${app}: ${size}, ${did}` : `${app}: ${size}`, findings: wrong };
}

/** Starts the container and stops it. Returns null, or what it did wrong. */
async function runService(
  app: string,
  { tool, release, settings }: ImageStage & { readonly settings: Readonly<Record<string, string>> },
): Promise<string | null> {
  const { healthCheck, stopSignal } = tool.describe(app);
  const running = tool.start(app, { env: settings });
  try {
    if (healthCheck === null) throw new Error('its image has no health check');
    await running.untilHealthy(healthCheck);
    const shown = await readRelease(settings['HEALTH_PORT'] ?? '');
    if (shown !== release) throw new Error(`it shows the release ${shown}`);
  } catch (error) {
    await running.stop(stopSignal);
    return error instanceof Error ? error.message : String(error);
  }
  return describeEnd('it', await running.stop(stopSignal), running);
}

/** Runs the operator's command in containers that end by themselves. */
async function runCommands(app: string, { tool, apps }: ImageStage): Promise<string | null> {
  for (const words of [['--help'], ['migrate', '--check']]) {
    const running = tool.start(app, { env: apps.ownerSettings, words });
    const failure = describeEnd(words.join(' '), await running.untilEnd(), running);
    if (failure !== null) return failure;
  }
  return stopMigration(app, tool);
}

/** Stops a migration whose database accepts connections and answers nothing. Returns null, or what it did wrong. */
async function stopMigration(app: string, tool: ImageTool): Promise<string | null> {
  const database = createServer().listen(0, LOOPBACK);
  try {
    await once(database, 'listening');
    const { port } = database.address() as AddressInfo;
    const env = { DATABASE_OWNER_URL: `postgres://owner:secret@${LOOPBACK}:${port}/pos` };
    const running = tool.start(app, { env, words: ['migrate'] });
    await Promise.race([once(database, 'connection'), running.untilEnd()]);
    const code = await running.stop(tool.describe(app).stopSignal);
    if (code === SIGTERM_EXIT_CODE) return null;
    return `migrate ended with ${code ?? 'SIGKILL after its time to stop'}, not on its signal: ${running.output}`;
  } finally {
    database.close();
  }
}

async function readRelease(port: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
  const { release } = (await answer.json()) as { readonly release?: string };
  return release ?? 'unknown';
}

function describeEnd(what: string, code: number | null, { output }: RunningProcess): string | null {
  return code === 0 ? null : `${what} ended with ${code ?? 'SIGKILL after its time to stop'}: ${output}`;
}
