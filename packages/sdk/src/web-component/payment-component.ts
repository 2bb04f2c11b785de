import { PosUsageError } from '../errors/errors.js';
import {
  type AttemptOutcome,
  CHALLENGE_CLOSED,
  createResult,
  isRecord,
  type PaymentResult,
} from '../flow/payment-result.js';
import { PaymentService, type ServiceAddresses } from '../flow/payment-service.js';
import { RESULT_CODES, toResultCode } from '../flow/result-codes.js';
import { type PaymentTheme, readTheme } from '../flow/theme.js';
import { CardFieldsFrame } from './card-fields-frame.js';
import { showChallengeDialog } from './challenge-dialog.js';
import { defineElement, ElementBase } from './element.js';
import { getStyle } from './style.js';
import { createTexts, type Texts } from './texts.js';
import { applyTheme } from './theme-style.js';

/** What a component pays, and where it is displayed. */
export interface PaymentComponentConfig {
  /** The id of the element that receives the card fields. */
  readonly containerId: string;
  readonly paymentDetails: {
    /** The client session secret of the payment intent or setup intent. */
    readonly paymentToken: string;
    /** Needed for a saved card, unless the intent was created with it. */
    readonly customerSecret?: string | undefined;
    /** A saved card: the component then has the security code only. */
    readonly paymentMethodId?: string | undefined;
  };
  readonly theme?: PaymentTheme | undefined;
  readonly service: ServiceAddresses;
  /** By the browser's languages when left out. */
  readonly language?: 'en' | 'de' | undefined;
}

/** The other members of a submission, such as `savePaymentMethod`, `emailAddress` and `billingAddress`. */
export type PaymentExecution = Readonly<Record<string, unknown>>;

/** Why the fields cannot be used: a result code, and a text for the developer. */
export interface ComponentError {
  readonly statusCode: number;
  readonly message: string;
}

/** The element around the frame of the vault. */
class CardFieldsElement extends ElementBase {
  readonly root = this.attachShadow({ mode: 'open' });

  constructor() {
    super();
    this.root.adoptedStyleSheets = [getStyle()];
  }
}

/**
 * The card fields of the vault in the page of an integrator, whose own button calls `executePayment`. The page never
 * receives a card number. `onSubmit`: the payer pressed Enter; `onBlur`: the payer left the field of this name. Throws
 * `PosUsageError` for a configuration that cannot work.
 */
export class PaymentComponent {
  readonly #element: CardFieldsElement;
  readonly #service: PaymentService;
  readonly #texts: Texts;
  readonly #frame: Promise<CardFieldsFrame | null>;
  #token: string;
  #isBusy = false;
  #problem: ComponentError = { statusCode: RESULT_CODES.clientError, message: 'The component was removed.' };

  constructor(
    private readonly config: PaymentComponentConfig,
    private readonly onError: (error: ComponentError) => void = () => undefined,
    private readonly onSubmit: () => void = () => undefined,
    private readonly onBlur: (field: string) => void = () => undefined,
  ) {
    const container = readContainer(config);
    const theme = readTheme(config.theme);
    this.#service = new PaymentService(config.service);
    this.#token = config.paymentDetails.paymentToken;
    this.#texts = createTexts(config.language === undefined ? navigator.languages : [config.language]);
    defineElement('pos-card-fields', CardFieldsElement);
    this.#element = document.createElement('pos-card-fields') as CardFieldsElement;
    container.replaceChildren(this.#element);
    const fieldsTheme = applyTheme(this.#element, theme);
    this.#frame = this.#openFrame(fieldsTheme).catch(() =>
      this.#fail(RESULT_CODES.clientError, 'The answer is unreadable.'),
    );
  }

  /** Resolves once the fields can be used; false if they cannot, after `onError`. */
  async whenReady(): Promise<boolean> {
    return (await this.#frame) !== null;
  }

  /**
   * Pays with the fields, once for each token. Wrong fields are marked and nothing is sent: 400. While a payment runs, a
   * second one has the result 20. Never rejects. After 500 read the intent on your server.
   */
  async executePayment(details: PaymentExecution = {}): Promise<PaymentResult> {
    if (this.#isBusy) return createResult(RESULT_CODES.duplicate, 'A payment runs.');
    this.#isBusy = true;
    try {
      const frame = await this.#frame;
      if (frame === null) return createResult(this.#problem.statusCode, this.#problem.message);
      if (!(await frame.channel.checkFields()))
        return createResult(RESULT_CODES.invalidRequest, 'The fields are wrong.');
      const { result } = await this.#submit(frame, details);
      return { ...result, statusCode: toResultCode(result.statusCode) };
    } catch (error) {
      return createResult(RESULT_CODES.clientError, error instanceof Error ? error.message : String(error));
    } finally {
      this.#isBusy = false;
    }
  }

  /** Another secret of the same intent, for another attempt after a refusal. */
  replaceToken(paymentToken: string): void {
    this.#token = requireText('paymentToken', paymentToken);
  }

  /** Puts the cursor into the first field. */
  async focus(): Promise<void> {
    (await this.#frame)?.channel.focus();
  }

  /** Removes the fields from the page. */
  async remove(): Promise<void> {
    (await this.#frame)?.remove();
    this.#element.remove();
  }

  async #submit(frame: CardFieldsFrame, details: PaymentExecution): Promise<AttemptOutcome> {
    const { paymentMethodId, customerSecret = null } = this.config.paymentDetails;
    const secret = this.#token;
    const outcome = await frame.channel.submit({
      ...{ secret, customerSecret },
      details: { ...details, ...(paymentMethodId !== undefined && { paymentMethodId }) },
    });
    const { challenge, result } = outcome;
    if (challenge === null) return outcome;
    const paRes =
      (await showChallengeDialog(challenge, {
        ...{ root: this.#element.root, texts: this.#texts, payment: null },
      })) ?? CHALLENGE_CLOSED;
    return this.#service.completeChallenge(secret, { paRes, transactionId: result.transactionId });
  }

  async #openFrame(theme: PaymentTheme): Promise<CardFieldsFrame | null> {
    const answer = await this.#service.openCardFields(this.#token);
    if (answer.kind === 'unreachable') return this.#fail(RESULT_CODES.clientError, 'The card vault did not answer.');
    if (answer.kind === 'refused') return this.#fail(toResultCode(answer.code), answer.detail);
    const isCodeOnly = this.config.paymentDetails.paymentMethodId !== undefined;
    const { addresses } = answer;
    const look = { language: this.#texts.language, theme, schemes: [] };
    const frame = new CardFieldsFrame(
      {
        ...{ address: isCodeOnly ? addresses.securityCode : addresses.cardFields, isCodeOnly, look },
        title: this.#texts.get(isCodeOnly ? 'codeFrame' : 'cardFrame'),
      },
      { onEnter: this.onSubmit, onBlur: this.onBlur },
    );
    this.#element.root.append(frame.element);
    if (await frame.whenReady) return frame;
    frame.remove();
    return this.#fail(RESULT_CODES.clientError, 'The card fields did not load.');
  }

  #fail(statusCode: number, message: string): null {
    this.#problem = { statusCode, message };
    this.onError(this.#problem);
    return null;
  }
}

function readContainer(config: unknown): HTMLElement {
  if (!isRecord(config)) throw new PosUsageError('config is no object');
  const { containerId, paymentDetails } = config;
  const details = isRecord(paymentDetails) ? paymentDetails : {};
  requireText('config.paymentDetails.paymentToken', details['paymentToken']);
  for (const name of ['customerSecret', 'paymentMethodId']) {
    if (details[name] !== undefined) requireText(`config.paymentDetails.${name}`, details[name]);
  }
  if (!isRecord(config['service'])) throw new PosUsageError('config.service is missing');
  const container = document.getElementById(requireText('config.containerId', containerId));
  if (container === null) throw new PosUsageError('config.containerId is the id of no element of the page');
  return container;
}

export function requireText(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new PosUsageError(`${name} is missing`);
  return value;
}
