import { createCv2MessageShapes } from '@pos/core/testing';
import { createNumberShapes, createSecretShapes, LeakScan } from '@pos/core/leaks';
import { EXAMPLE_NUMBERS, TEST_NUMBERS } from '@pos/core/cards';

const LOG_LEAK_SCAN = new LeakScan([
  ...createNumberShapes([...TEST_NUMBERS, ...EXAMPLE_NUMBERS]),
  ...createCv2MessageShapes(),
  ...createSecretShapes(),
]);

/**
 * The log of a process under test: keeps each line, and detects lines that contain a number, a CV2, a key or a
 * secret.
 */
export class TestLog {
  readonly lines: string[] = [];
  readonly #leaks: string[] = [];

  /** For `openLog`. A line is never refused here: its operation continues, and the test fails at its end. */
  readonly write = (line: string): void => {
    this.lines.push(line);
    const event = /"event":"([^"]*)"/.exec(line)?.[1] ?? 'a line';
    for (const { kind, excerpt } of LOG_LEAK_SCAN.findInText(line))
      this.#leaks.push(`${event} tells a ${kind}: ${excerpt}`);
  };

  /** Throws when a line contained a secret; for the end of a test. */
  expectNoLeaks(): void {
    const leaks = this.#leaks.splice(0);
    if (leaks.length > 0) throw new Error(`the log tells secrets:\n  ${leaks.join('\n  ')}`);
  }
}
