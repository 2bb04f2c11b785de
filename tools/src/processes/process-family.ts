import { readdirSync, readFileSync } from 'node:fs';

/** The process and its children. */
export function listProcessFamily(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: findParent(name) }));
  return [pid, ...parents.filter(({ parent }) => parent === pid).map((child) => child.pid)];
}

function findParent(pid: string): number {
  try {
    // The name in brackets may contain spaces.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').split(' ')[2]);
  } catch {
    return 0;
  }
}
