// Fetches a Chromium from the package registry for a machine without one, so that the payment page is tested there,
// too. Its version and checksums are pinned in the lock file beside this one. Only Linux on x64 has such a package.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fetchProgram, runWithoutOutput } from '../pinned-program.js';

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;
// The package unpacks into the system's folder for temporary files, and its libraries only on the system that they are
// for.
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
const ITS_SYSTEM = 'AWS_Lambda_nodejs20.x';

/** Fetches and unpacks the browser, unless it is there. Returns null, or the reason of a failure. */
export function fetchChromium() {
  return fetchProgram({
    folder: import.meta.dirname,
    name: 'Chromium',
    unpack: async (packages, target) => {
      const env = { ...process.env, TMPDIR: target, AWS_EXECUTION_ENV: ITS_SYSTEM };
      await runWithoutOutput(process.execPath, ['--input-type=module', '-e', UNPACK], { cwd: packages, env });
      await writeFile(path.join(target, 'fonts/fonts.conf'), FONTS);
    },
  });
}
