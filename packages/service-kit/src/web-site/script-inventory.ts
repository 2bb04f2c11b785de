import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StartFailure } from '@pos/core/refusals';

/** The file beside a built page that lists the page, its scripts and its styles. */
const INVENTORY_FILE = 'scripts.json';
/** The page itself. A folder of scripts for frames has none. */
export const PAGE_FILE = 'index.html';

/** A page, or a script or style that it may use. */
interface InventoriedFile {
  /** Its path in the folder of the page. */
  readonly file: string;
  /** Why the page needs it; empty for a style and the page itself. */
  readonly purpose: string;
  /** Its hash in the form of the attribute `integrity`. */
  readonly integrity: string;
}

/** A file that the bundler is about to write. */
interface OutputFile {
  readonly type: 'chunk' | 'asset';
  readonly fileName: string;
  readonly name?: string | undefined;
  readonly code?: string;
  source?: string | Uint8Array;
}

/** The purpose of each script by its name in the bundle. A page may run no other. */
type AuthorisedScripts = Readonly<Record<string, string>>;

/**
 * A plugin of the bundler for a payment page. It writes the inventory of the page, its scripts and its styles, and the
 * hashes of those into the page. The build fails for a script that is not authorised.
 */
export function createScriptInventoryPlugin(authorised: AuthorisedScripts) {
  return {
    name: 'pos-script-inventory',
    apply: 'build',
    // After the plugins that write the page and the style.
    enforce: 'post',
    generateBundle(
      this: { readonly emitFile: (file: { type: 'asset'; fileName: string; source: string }) => unknown },
      _options: unknown,
      bundle: Readonly<Record<string, OutputFile>>,
    ): void {
      const outputs = Object.values(bundle);
      const files = outputs.filter(({ fileName }) => isCode(fileName)).map((each) => toInventoried(each, authorised));
      const names = new Set(outputs.map(({ name }) => name));
      const unused = Object.keys(authorised).filter((name) => !names.has(name));
      if (unused.length > 0)
        throw new Error(`the page has no script ${unused.join(', ')}: remove it from the inventory`);
      const page = bundle[PAGE_FILE];
      if (page !== undefined) {
        const html = addIntegrity(toText(page.source ?? ''), files);
        page.source = html;
        files.push({ file: PAGE_FILE, purpose: '', integrity: computeIntegrity(html) });
      }
      const source = `${JSON.stringify(files, null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: INVENTORY_FILE, source });
    },
  } as const;
}

/**
 * Reads a built page with its scripts and styles, by their paths. Throws a `StartFailure` when one of them differs from
 * the inventory: it was changed after the build.
 */
export function readInventoriedFiles(folder: URL): ReadonlyMap<string, string> {
  const texts = new Map(listFiles(folder).map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]));
  const listed = new Map(readInventory(folder).map(({ file, integrity }) => [file, integrity]));
  const problems = [
    ...[...texts].flatMap(([file, text]) => {
      const integrity = listed.get(file);
      if (integrity === undefined) return [`${file} is not in ${INVENTORY_FILE}`];
      return integrity === computeIntegrity(text) ? [] : [`${file} was changed after the build`];
    }),
    ...[...listed.keys()].filter((file) => !texts.has(file)).map((file) => `${file} is missing`),
  ];
  if (problems.length > 0) throw new StartFailure(`the payment page is not as it was built: ${problems.join('; ')}`);
  return texts;
}

function toInventoried({ type, fileName, name = '', code, source }: OutputFile, authorised: AuthorisedScripts) {
  const isScript = type === 'chunk' || fileName.endsWith('.js');
  const purpose = isScript ? authorised[name] : '';
  if (purpose === undefined) {
    throw new Error(`the page may not run ${fileName}: authorise the script ${name} with its purpose`);
  }
  return { file: fileName, purpose, integrity: computeIntegrity(code ?? toText(source ?? '')) };
}

function readInventory(folder: URL): readonly InventoriedFile[] {
  const file = new URL(INVENTORY_FILE, folder);
  if (!existsSync(file)) throw new StartFailure(`the payment page has no ${INVENTORY_FILE}: build it again`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as readonly InventoriedFile[];
  } catch {
    throw new StartFailure(`${INVENTORY_FILE} of the payment page cannot be read: build it again`);
  }
}

function listFiles(folder: URL): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = entries.map((entry) => entry.split(path.sep).join('/'));
  return files.filter((file) => isCode(file) || file === PAGE_FILE);
}

function isCode(file: string): boolean {
  return /\.(?:[cm]?js|css)$/.test(file);
}

const TAG = /<script\b[^>]*>|<link\b(?=[^>]*\brel=["']?stylesheet)[^>]*>/gi;

/** Writes the hashes into the tags of the page. Throws for a script in the page itself, or from elsewhere. */
function addIntegrity(html: string, files: readonly InventoriedFile[]): string {
  return html.replaceAll(TAG, (tag) => {
    const file = findFile(tag, files);
    if (file === undefined) throw new Error(`the page may not contain ${tag}`);
    return tag.replace(/\s*\/?>$/, ` integrity="${file.integrity}">`);
  });
}

function findFile(tag: string, files: readonly InventoriedFile[]): InventoriedFile | undefined {
  const address = /\b(?:src|href)="\/([^"]*)"/.exec(tag)?.[1];
  return files.find(({ file }) => file === address);
}

function computeIntegrity(text: string): string {
  return `sha384-${createHash('sha384').update(text, 'utf8').digest('base64')}`;
}

function toText(source: string | Uint8Array): string {
  return typeof source === 'string' ? source : Buffer.from(source).toString('utf8');
}
