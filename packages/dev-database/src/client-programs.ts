import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// The compiled program, also when a test runs this file from its source.
const PROGRAM = fileURLToPath(new URL('../dist/client-program.js', import.meta.url));

/** Writes stand-ins for `psql`, `pg_basebackup` and `pg_ctl` into a folder, to be put on `PATH`. */
export function writeClientPrograms(folder: string): void {
  for (const name of ['psql', 'pg_basebackup', 'pg_ctl']) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' ${name} "$@"\n`, {
      mode: 0o755,
    });
  }
}
