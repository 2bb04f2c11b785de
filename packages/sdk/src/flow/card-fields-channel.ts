import { type AttemptOutcome, createResult, isRecord, readOutcome } from './payment-result.js';
import { RESULT_CODES } from './result-codes.js';
import type { PaymentTheme } from './theme.js';

/** Longer than the frame waits for the issuer and the vault. */
const RESULT_TIMEOUT_MS = 45_000;
const CHECK_TIMEOUT_MS = 5_000;

/** How the fields look like the page around them. */
export interface FieldsLook {
  readonly language: 'en' | 'de';
  readonly theme: PaymentTheme;
  /** The schemes whose signs are displayed beside the number. */
  readonly schemes: readonly string[];
}

/** What proves the payer, and the other members of the submission. A card is never among them. */
export interface FieldsSubmission {
  readonly secret: string;
  readonly customerSecret: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What the fields report. No message has the value of a field. */
export interface FieldsListener {
  readonly onReady?: () => void;
  readonly onHeight?: (height: number) => void;
  /** The payer pressed Enter in a field. */
  readonly onEnter?: () => void;
  readonly onBlur?: (field: string) => void;
  readonly onChange?: (isComplete: boolean) => void;
}

/**
 * The conversation with the card fields of the vault, in the frame or web view that displays them. Its
 * owner passes each message only if it comes from the vault's origin and from that frame.
 */
export class CardFieldsChannel {
  readonly #results = new Map<number, (outcome: AttemptOutcome) => void>();
  readonly #checks = new Map<number, (isRight: boolean) => void>();
  #lastId = 0;

  constructor(
    private readonly send: (message: Readonly<Record<string, unknown>>) => void,
    private readonly listener: FieldsListener,
  ) {}

  /** Call it when the frame has loaded; it answers `onReady`. */
  greet({ language, theme, schemes }: FieldsLook): void {
    this.send({ type: 'hello', language, schemes, theme: { properties: theme } });
  }

  focus(): void {
    this.send({ type: 'focus' });
  }

  /** Whether the fields may be submitted; marks the wrong ones. Fields that do not answer must not block the payer. */
  checkFields(isFocusAllowed = true): Promise<boolean> {
    const id = this.#nextId();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(this.#checks, id, true), CHECK_TIMEOUT_MS);
      this.#checks.set(id, (isRight) => {
        clearTimeout(timer);
        resolve(isRight);
      });
      this.send({ type: 'check', id, isFocusAllowed });
    });
  }

  /** Pays with the fields. Never rejects: fields that do not answer have the outcome 500. */
  submit({ secret, customerSecret, details }: FieldsSubmission): Promise<AttemptOutcome> {
    const id = this.#nextId();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(this.#results, id, createUnknownOutcome()), RESULT_TIMEOUT_MS);
      this.#results.set(id, (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
      });
      this.send({ type: 'submit', id, secret, details, ...(customerSecret !== null && { customerSecret }) });
    });
  }

  /** Takes a message of the fields. Ignores unknown messages, and answers to nothing that was asked. */
  receive(data: unknown): void {
    if (!isRecord(data)) return;
    const { type, id, height, field, isComplete, isRight, result, fields } = data;
    if (type === 'ready') this.listener.onReady?.();
    else if (type === 'enter') this.listener.onEnter?.();
    else if (type === 'height' && typeof height === 'number' && height > 0) this.listener.onHeight?.(height);
    else if (type === 'blur' && typeof field === 'string') this.listener.onBlur?.(field);
    else if (type === 'change') this.listener.onChange?.(isComplete === true);
    else if (type === 'checked') this.#settle(this.#checks, id, isRight === true);
    else if (type === 'result') {
      const outcome = readOutcome(result, fields);
      if (outcome !== null) this.#settle(this.#results, id, outcome);
    }
  }

  #settle<T>(waiting: Map<number, (value: T) => void>, id: unknown, value: T): void {
    if (typeof id !== 'number') return;
    const resolve = waiting.get(id);
    waiting.delete(id);
    resolve?.(value);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

function createUnknownOutcome(): AttemptOutcome {
  const result = createResult(RESULT_CODES.outcomeUnknown, 'The card fields did not answer.');
  return { result, challenge: null, fields: [] };
}
