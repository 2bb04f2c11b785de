// A process that `pnpm figures:executed` measures loads this before itself. SIGUSR2 writes the files that executed a
// function since the last signal into COVERAGE_FOLDER, under the number of the process.
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import path from 'node:path';

const folder = process.env['COVERAGE_FOLDER'];
if (folder === undefined) throw new Error('COVERAGE_FOLDER names the folder for the files');
const file = path.join(folder, String(process.pid));

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('SIGUSR2', () => {
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error;
    const executed = coverage.result.filter(({ functions }) =>
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    );
    // The reader takes the file as soon as it exists, so it gets its name when it is complete.
    writeFileSync(`${file}.part`, JSON.stringify(executed.map(({ url }) => url)));
    renameSync(`${file}.part`, file);
  });
});
