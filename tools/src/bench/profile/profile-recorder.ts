// An app of `pnpm bench --profile` loads this before itself. SIGUSR2 starts a recording, and the next one ends it and
// writes it into the file that PROFILE_FILE names. Not by a debugger's port, which no app opens in production.
import { renameSync, writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';

const SAMPLE_MICROSECONDS = 500;
const file = process.env['PROFILE_FILE'] ?? '';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
let isRecording = false;
process.on('SIGUSR2', () => {
  isRecording = !isRecording;
  if (isRecording) session.post('Profiler.start');
  else session.post('Profiler.stop', (_, { profile }) => save(profile));
});

/** The bench reads the file as soon as it exists, so it gets its name when it is complete. */
function save(profile: Profiler.Profile): void {
  writeFileSync(`${file}.part`, JSON.stringify(profile));
  renameSync(`${file}.part`, file);
}
