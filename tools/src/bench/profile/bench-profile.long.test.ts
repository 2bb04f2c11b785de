import { expect, test } from '@jest/globals';
import { runBench } from '../testing/bench-run.js';

const MINUTES = 60_000;

test(
  'the time of a payment is divided among the packages of the api and of the gateway',
  async () => {
    const { exitCode, output, error } = await runBench(['--profile', '--short']);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: expect.stringContaining('the profile of lock') });
    const parts = (app: string): string => output.slice(output.indexOf(`| part of ${app} |`));
    expect(parts('api')).toMatch(/\| @pos\/store \| \d+\.\d\d \| \d+ % \|/);
    expect(parts('pay-at-table-gateway')).toMatch(/\| @grpc\/grpc-js \| \d+\.\d\d \| \d+ % \|/);
    expect(output).not.toContain('inspector');
  },
  5 * MINUTES,
);
