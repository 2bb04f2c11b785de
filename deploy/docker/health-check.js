// The health check of an image: exits with 0 if the app of this container is ready, and else with 1 and one sentence.
// It reads the settings of the app and needs no shell. `node health-check.js live` checks only that the app answers.
import { request } from 'node:http';

const ANSWER_MS_MAX = 4_000;
const WILDCARDS = new Set(['0.0.0.0', '::', '[::]']);

const { HEALTH_PORT = '', HEALTH_HOST = '', HTTP_PORT = '', HOST = '' } = process.env;
const [port, host] = HEALTH_PORT === '' ? [HTTP_PORT, HOST] : [HEALTH_PORT, HEALTH_HOST];
const [check = 'ready'] = process.argv.slice(2);

if (port === '') end(1, 'neither HEALTH_PORT nor HTTP_PORT is set');
const hostname = host === '' || WILDCARDS.has(host) ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1');
const question = request({ hostname, port, path: `/health/${check}`, timeout: ANSWER_MS_MAX }, (answer) => {
  if (answer.statusCode === 200) end(0, 'ok');
  else end(1, `port ${port} answered ${answer.statusCode}`);
});
question.on('timeout', () => end(1, `port ${port} did not answer within ${ANSWER_MS_MAX} ms`));
question.on('error', ({ message }) => end(1, message));
question.end();

function end(code, sentence) {
  process.stdout.write(`${sentence}\n`);
  process.exit(code);
}
