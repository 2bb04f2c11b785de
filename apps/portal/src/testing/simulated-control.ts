import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A call of the control of the sandbox, as it arrived. */
export interface ControlCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const ACQUIRER = { declines: false, isSlow: false, isSilent: false, losesReply: false };
const EPOS = { isDown: false, isSlow: false, refuses: false, losesReply: false };
const MACHINE = {
  ...{ tid: '90000001', name: 'approves', behaviour: 'approves', isConnected: true, inUse: false },
  ...{ unacknowledged: 0, faults: {} },
};
const EPOS_SCREEN = {
  ...{ tradingName: 'The Corner Table', currency: 'GBP', switches: EPOS },
  ...{ tables: [], parties: [], payments: [], calls: [], menu: [] },
};

const PROBLEM = {
  ...{ type: 'https://problems.example/unknown', title: 'Not found', detail: 'There is none.', status: 404 },
  ...{ traceId: '00-0', errors: {} },
};

/** A control of a sandbox that simulates one account with one machine. */
export class SimulatedControl {
  /** What was called beside reads. */
  readonly changes: ControlCall[] = [];
  accountId = '';

  private constructor(
    readonly url: string,
    readonly close: () => void,
  ) {}

  static async open(): Promise<SimulatedControl> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        const { method = '', url: path = '' } = request;
        const body: unknown = text === '' ? null : JSON.parse(text);
        const { status, answer } = control.answer({ method, path, body });
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const control = new SimulatedControl(`http://127.0.0.1:${port}`, () => server.close());
    return control;
  }

  answer({ method, path, body }: ControlCall): { status: number; answer: unknown } {
    const { accountId } = this;
    const machines = `/machines/${accountId}`;
    const known: Readonly<Record<string, unknown>> = {
      [`/accounts/${accountId}/acquirer-switches`]: body ?? ACQUIRER,
      [machines]: { machines: [MACHINE] },
      [`${machines}/${MACHINE.tid}`]: MACHINE,
      [`/epos/${accountId}/screen`]: EPOS_SCREEN,
      [`/epos/${accountId}/switches`]: EPOS_SCREEN,
    };
    const answer = known[path];
    if (answer === undefined) {
      const isMachine = path.startsWith(`${machines}/`);
      const reason = isMachine ? 'terminal_not_found' : 'path_unknown';
      return { status: 404, answer: { ...PROBLEM, reason } };
    }
    if (method !== 'GET') this.changes.push({ method, path, body });
    return { status: 200, answer };
  }
}
