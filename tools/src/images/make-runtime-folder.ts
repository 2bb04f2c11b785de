import { makeRuntimeFolder } from './runtime-folder.js';
import { formatMegabytes, inspectRuntimeFolder } from './folder-inspection.js';

// The build stage of deploy/docker/Dockerfile runs this, and operators who run the apps without containers.
const [app = '', folder = ''] = process.argv.slice(2);
try {
  if (folder === '')
    throw new Error('name an app and a folder that does not exist: pnpm runtime-folder api /opt/pos/api');
  makeRuntimeFolder(app, folder);
  const { files, bytes, findings } = inspectRuntimeFolder(folder);
  process.stdout.write(`${app}: ${files} files, ${formatMegabytes(bytes)}, in ${folder}\n`);
  for (const finding of findings) process.stderr.write(`${app}: ${finding}\n`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
