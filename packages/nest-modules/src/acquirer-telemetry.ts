import type { Environment } from '@pos/core/identity';
import type { AcquirerCallObserver } from '@pos/payments/acquirer';
import { defineCounter, defineGauge, defineHistogram } from '@pos/service-kit/metrics';
import { runSpan } from '@pos/service-kit/telemetry';

const CALLS = defineCounter({
  name: 'pos_acquirer_calls_total',
  help: 'Calls to the acquirer by method and outcome. `unknown` means that there was no answer, or none that decides.',
  labels: ['environment', 'acquirer', 'method', 'outcome'],
});
const SECONDS = defineHistogram({
  name: 'pos_acquirer_call_duration_seconds',
  help: 'Duration of calls to the acquirer, those without an answer included.',
  labels: ['environment', 'acquirer', 'method'],
});
const CIRCUIT = defineGauge({
  name: 'pos_acquirer_circuit_open',
  help: 'Whether this process leaves the acquirer alone, because it does not answer: 1 or 0.',
  labels: ['environment', 'acquirer'],
});

/** An acquirer of the settings. */
interface AcquirerSubject {
  readonly environment: Environment;
  readonly acquirer: string;
}

/** Counts, times and traces the calls of a client. */
export function createAcquirerCallObserver({ environment, acquirer }: AcquirerSubject): AcquirerCallObserver {
  return async (method, call) => {
    const startedAtMs = performance.now();
    const answer = await runSpan({ name: `acquirer ${method}`, kind: 'internal' }, call, ({ outcome }) => ({
      attributes: { 'pos.environment': environment, 'pos.acquirer': acquirer, 'pos.outcome': outcome },
      hasFailed: outcome === 'unknown',
    }));
    CALLS.increase({ environment, acquirer, method, outcome: answer.outcome });
    SECONDS.observe({ environment, acquirer, method }, (performance.now() - startedAtMs) / 1_000);
    return answer;
  };
}

/** Shows the state of the circuit of an acquirer. */
export function recordCircuit({ environment, acquirer }: AcquirerSubject, isOpen: boolean): void {
  CIRCUIT.set({ environment, acquirer }, isOpen ? 1 : 0);
}
