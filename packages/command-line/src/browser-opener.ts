import { spawn } from 'node:child_process';

/** What decides whether a browser can be opened here. */
export interface BrowserConditions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Whether a person reads the output. */
  readonly isTerminal: boolean;
}

/** The program that opens an address in the browser of the person; null where nobody would see it. */
export function findBrowserOpener({ env, platform, isTerminal }: BrowserConditions): string | null {
  const isUnattended = !isTerminal || (env['CI'] ?? '') !== '' || env['OPEN_BROWSER'] === 'false';
  if (isUnattended || (env['SSH_CONNECTION'] ?? '') !== '') return null;
  if (platform === 'darwin') return 'open';
  const hasDisplay = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return platform === 'linux' && hasDisplay ? 'xdg-open' : null;
}

/**
 * Opens the address, and returns whether the person has a browser here. The caller prints the address too, so a browser
 * that fails is ignored.
 */
export function openInBrowser(address: string, conditions: BrowserConditions): boolean {
  const opener = findBrowserOpener(conditions);
  if (opener === null) return false;
  const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return true;
}
