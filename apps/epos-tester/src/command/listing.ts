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

export const HELP = `tester: plays the flows of the EPOS tester against an EPOS

  tester run --epos <address> --all [options]
  tester run --epos <address> --flow <name> [--flow <name> ...] [options]
  tester flows      lists the flows and their parameters
  tester clauses    lists the requirements for an EPOS, and the flows that test them
  tester --help

The EPOS, one --epos for each transport:
  --epos http://... or https://...    EPOS Data API over REST; called
  --epos grpc://host:port or grpcs:// pay-at-table contract over gRPC; called
  --epos ws                           EPOS Data API over a WebSocket; the EPOS dials in
  --epos tables-ws                    pay-at-table contract over a WebSocket; the EPOS dials in
  --epos grpc-stream                  pay-at-table contract over gRPC; the EPOS dials in
  --epos reference                    the EPOS of the sandbox, as an example of a correct one
  --username, --password              the credentials for an EPOS that is called; the password also in TESTER_EPOS_PASSWORD
  --capabilities a,b,c                its capabilities of the EPOS Data API; all when left out
  --currency GBP                      the currency of its bills
  --host 127.0.0.1                    the address that an EPOS dials in at; one of this machine, or 0.0.0.0, lets other
                                      machines in, without TLS
  --http-port, --grpc-port            the ports that it dials in at; free ones when left out
  --wait-seconds 60                   how long to wait for an EPOS that dials in; its key may be set in TESTER_API_KEY
  --ca-file ca.pem                    a certificate authority for its certificate

What is played:
  --all, --flow <name>                every flow, or those named
  --transport <name>                  over these transports only: rest, ws, tables-ws, grpc-dialled, grpc-stream
  --param name=value                  for every flow that has it
  --expected-failures <file>          one a line: [transport] flow[/clause]  # remark

What is written:
  --junit, --json, --html <file>
  --language en                       the language of the page: en or de
  --epos-name, --epos-version         the name and version of the EPOS, for the head of the page and of JSON

Exit codes: 0 everything as expected, 1 a deviation, 2 invalid arguments, 3 not started.
`;
