import { Client, credentials } from '@grpc/grpc-js';
import { connect } from 'node:tls';
import { queryServer } from '@pos/dev-database';

/** A running project. */
export interface InspectedProject {
  /** Reads a file of a container. */
  readonly read: (service: string, file: string) => string;
  readonly addressOf: (service: string) => string;
}

/** The internal ports, which only the apps' own certificates open. */
const INTERNAL_PORTS = [
  ['card-vault', 50_053],
  ['pay-at-table-gateway', 50_054],
] as const;
/** The port of card machines, which probes of Kubernetes may ask. */
const MACHINES = ['pay-at-table-gateway', 50_051] as const;
const HEALTH_CHECK = '/grpc.health.v1.Health/Check';
/** The message with status SERVING. */
const SERVING = '0801';
const ANSWER_MS_MAX = 5_000;

/**
 * Looks for connections to the database without TLS, for internal ports that take a caller without a certificate, and for
 * a port of card machines whose health service does not answer.
 */
export async function findConnectionFindings(project: InspectedProject): Promise<string[]> {
  const ca = project.read('api', '/run/pos/internal-ca.crt');
  const findings: string[] = [];
  const rows = await listDatabaseConnections(project);
  const plain = rows.filter(({ ssl }) => !ssl).map(({ application_name: name }) => name);
  if (plain.length > 0) findings.push(`connections to the database without TLS: ${plain.join(', ')}`);
  const logins = [...new Set(rows.map(({ usename }) => usename))].sort();
  if (logins.join() !== 'service_app,service_vault') findings.push(`the database serves ${logins.join(' and ')}`);
  for (const [service, port] of INTERNAL_PORTS) {
    const answer = await connectWithoutCertificate({ host: project.addressOf(service), port, servername: service, ca });
    if (!/certificate required/.test(answer))
      findings.push(`${service}:${port} answers without a certificate: ${answer}`);
  }
  const health = await askGrpcHealth(`${project.addressOf(MACHINES[0])}:${MACHINES[1]}`, project);
  if (health !== SERVING) findings.push(`${MACHINES.join(':')} answers a gRPC health check with ${health}`);
  return findings;
}

/** Asks the health service of gRPC for the whole server; resolves with its answer as hexadecimal text, or the failure. */
function askGrpcHealth(address: string, project: InspectedProject): Promise<string> {
  const ca = Buffer.from(project.read('api', '/run/pos/public-ca.crt'));
  const client = new Client(address, credentials.createSsl(ca), { 'grpc.ssl_target_name_override': MACHINES[0] });
  const deadline = Date.now() + ANSWER_MS_MAX;
  return new Promise<string>((resolve) => {
    const identity = (bytes: Buffer): Buffer => bytes;
    client.makeUnaryRequest(HEALTH_CHECK, identity, identity, Buffer.alloc(0), { deadline }, (error, answer) => {
      resolve(error?.message ?? answer?.toString('hex') ?? 'nothing');
    });
  }).finally(() => client.close());
}

interface DatabaseConnection {
  readonly usename: string;
  readonly application_name: string;
  readonly ssl: boolean;
}

/** As the owner, who connects by address: the name of the server is checked by the apps. */
function listDatabaseConnections(project: InspectedProject): Promise<DatabaseConnection[]> {
  const url = new URL(project.read('migrate', '/run/pos/DATABASE_OWNER_URL'));
  url.hostname = project.addressOf('database');
  url.search = '?uselibpqcompat=true&sslmode=require';
  return queryServer<DatabaseConnection>(
    { url: url.toString() },
    `select usename, application_name, ssl from pg_stat_activity join pg_stat_ssl using (pid)
      where client_addr is not null and pid <> pg_backend_pid()`,
  );
}

/** Resolves with the reason why the port closes the connection, or with what else happens. */
function connectWithoutCertificate(port: {
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  readonly ca: string;
}): Promise<string> {
  return new Promise<string>((resolve) => {
    const socket = connect({ ...port, ALPNProtocols: ['h2'] });
    socket.setTimeout(ANSWER_MS_MAX, () => resolve('it stays open'));
    socket.once('error', (error: Error) => resolve(error.message));
    socket.once('close', () => resolve('it is closed'));
  });
}
