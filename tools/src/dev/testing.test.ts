import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listLivingProcesses, useTerminals } from './testing.js';

const open = useTerminals();
let tree: string;
/** The processes that a test has left running. */
let left: number[] = [];

beforeAll(() => {
  tree = mkdtempSync(path.join(tmpdir(), 'terminals-'));
  mkdirSync(path.join(tree, 'tools/dist'), { recursive: true });
  const stays = `setInterval(() => {}, 1000); console.log('here');`;
  writeFileSync(path.join(tree, 'tools/dist/stays.js'), stays);
  writeFileSync(path.join(tree, 'tools/dist/deaf.js'), `process.on('SIGINT', () => {}); ${stays}`);
});

afterAll(() => {
  rmSync(tree, { recursive: true });
});

async function running(program: string) {
  const terminal = open(program, {}, tree);
  await terminal.waitForOutput(/here/);
  return terminal;
}

test('a program that ignores Ctrl-C is killed', async () => {
  const terminal = await running('deaf.js');
  await terminal.stop(200);
  expect(listLivingProcesses([terminal.pid])).toEqual([]);
});

test('stopping an ended program does nothing', async () => {
  const terminal = await running('stays.js');
  await terminal.end('SIGKILL');
  await terminal.stop();
  expect(listLivingProcesses([terminal.pid])).toEqual([]);
});

test('a test may fail while its programs run', async () => {
  left = [(await running('stays.js')).pid, (await running('stays.js')).pid];
  expect(listLivingProcesses(left)).toEqual(left);
});

test('they have ended before the next test starts', () => {
  expect(left).toHaveLength(2);
  expect(listLivingProcesses(left)).toEqual([]);
});
