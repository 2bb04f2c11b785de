import { FLOWS } from '../flows/flows.js';

/** The flows and what each tests, one a line. */
export function listFlowLines(): string {
  const widest = Math.max(...FLOWS.map(({ name }) => name.length));
  return FLOWS.map(({ name, tests }) => `${name.padEnd(widest)}  ${tests}\n`).join('');
}

export const HELP = `acquirer-tester: plays the flows of the acquirer tester against an adapter for service.acquirer.v1

  acquirer-tester run --acquirer <address> --profile <file> --all [options]
  acquirer-tester run --acquirer <address> --profile <file> --flow <name> [--flow <name> ...] [options]
  acquirer-tester flows      lists the flows and what each tests
  acquirer-tester clauses    lists what an adapter has to do, and which flows test it
  acquirer-tester profile    prints the profile of the sandbox, as a start for your own
  acquirer-tester --help

The adapter:
  --acquirer grpc://host:port or grpcs://host:port, without and with TLS
  --acquirer sandbox                  the acquirer of the sandbox, which the command starts
  --profile <file>                    JSON: the merchant, currencies, and cards that approve, decline, challenge and
                                      answer late; "sandbox" for a running sandbox
  --credential <text>                 the metadata "authorization" of every call; better in ACQUIRER_CREDENTIAL
  --ca-file ca.pem                    the authority of its certificate; those of the system when left out
  --cert-file, --key-file             the certificate that the tester shows, and its key
  --wait-seconds 15                   how long an adapter that starts is waited for

What is played:
  --all, --flow <name>                every flow, or those named
  --expected-failures <file>          one a line: flow[/clause]  # remark

What is written:
  --junit, --json, --html <file>

The flows move test money: use a test account of the acquirer. A hold that a flow leaves is reversed at its end.

It ends with 0 when everything is as expected, with 1 when something is not, with 2 when it was asked for what there is
not, and with 3 when it could not start or was stopped.
`;
