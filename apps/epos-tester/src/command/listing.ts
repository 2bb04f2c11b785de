import { CLAUSE_FLOWS } from '../clause-coverage/clause-flows.js';
import { CLAUSES, type ClauseId } from '../checks/clauses.js';
import { FLOWS } from '../flows/flows.js';

/** The flows with their parameters, one a line. */
export function listFlowLines(): string {
  const widest = Math.max(...FLOWS.map(({ name }) => name.length));
  const lines = FLOWS.map(({ name, params }) => {
    const described = params.map(({ name: param, default: standard }) =>
      standard === '' ? param : `${param}=${standard}`,
    );
    return `${name.padEnd(widest)}  ${described.join(' ')}`;
  });
  return `${lines.join('\n')}\n`;
}

/** The clauses with their texts, and the flows that test them. */
export function listClauseLines(): string {
  const lines = (Object.keys(CLAUSES) as ClauseId[]).map((id) => {
    const { by, flows } = CLAUSE_FLOWS[id];
    return `${id}\n    ${CLAUSES[id]}\n    Tested by ${by ?? flows.join(', ')}.`;
  });
  return `${lines.join('\n')}\n`;
}

export const HELP = `tester: plays the flows of the EPOS tester against an EPOS

  tester run --epos <address> --all [options]
  tester run --epos <address> --flow <name> [--flow <name> ...] [options]
  tester flows      lists the flows and their parameters
  tester clauses    lists what an EPOS has to do, and which flows show it
  tester --help

The EPOS, one --epos for each way to it:
  --epos http://... or https://...    EPOS Data API over REST; called
  --epos grpc://host:port or grpcs:// pay-at-table contract over gRPC; called
  --epos ws                           EPOS Data API over a WebSocket; the EPOS dials in
  --epos tables-ws                    pay-at-table contract over a WebSocket; the EPOS dials in
  --epos grpc-stream                  pay-at-table contract over gRPC; the EPOS dials in
  --epos reference                    the EPOS of the sandbox, to see what a sound one looks like
  --username, --password              what an EPOS that is called takes; the password also in TESTER_EPOS_PASSWORD
  --capabilities a,b,c                what it serves of the EPOS Data API; everything when left out
  --currency GBP                      the currency of its bills
  --host 127.0.0.1                    the address that an EPOS dials in at; one of this machine, or 0.0.0.0, lets other
                                      machines in, without TLS
  --http-port, --grpc-port            the ports that it dials in at; free ones when left out
  --wait-seconds 60                   how long an EPOS that dials in is waited for; its key may be set in TESTER_API_KEY
  --ca-file ca.pem                    an authority that its certificate may be of

What is played:
  --all, --flow <name>                every flow, or those named
  --transport <way>                   over these ways only: rest, ws, tables-ws, grpc-dialled, grpc-stream
  --param name=value                  for every flow that has it
  --expected-failures <file>          one a line: [transport] flow[/clause]  # remark

What is written:
  --junit, --json, --html <file>

It ends with 0 when everything is as expected, with 1 when something is not, with 2 when it was asked for what there is
not, and with 3 when it could not start.
`;
