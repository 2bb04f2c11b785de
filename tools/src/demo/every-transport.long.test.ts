import { expect, test } from '@jest/globals';
import { TestTerminal, startSecondWorld } from '../dev/testing.js';

const MINUTES = 60_000;
const settings = startSecondWorld(10);

test.each([
  ['grpc-stream', 'its EPOS opens a gRPC stream'],
  ['grpc', 'its EPOS is dialled'],
  ['rest', 'its EPOS is called over REST'],
  ['ws', 'its EPOS opens a WebSocket at /epos'],
  ['tables-ws', 'its EPOS opens a WebSocket at /ws/v1/tables/epos'],
])(
  'a table pays in two parts where the transport to the EPOS is %s',
  async (way, inWords) => {
    const demo = new TestTerminal(`demo/demo.js ${way}`, settings());
    expect([way, await demo.end(), demo.output]).toEqual([way, 0, expect.stringContaining('Every step held')]);
    expect(demo.output).toContain(inWords);
  },
  2 * MINUTES,
);
