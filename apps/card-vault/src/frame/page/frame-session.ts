/** What the vault answered to a submission. Everything else of its answer stays in the frame. */
interface VaultAnswer {
  readonly statusCode: number;
  readonly message: string;
  readonly authCode: string;
  readonly transactionId: string;
  readonly stepUpUrl?: string;
  readonly paReq?: string;
  readonly md?: string;
  readonly errors?: Readonly<Record<string, unknown>>;
}

/** The fields of a card. Their values leave the frame only to the vault. */
export interface FrameFields {
  /** The names of the wrong fields, each marked with its message. */
  markWrong(isFocusAllowed: boolean): readonly string[];
  /** Marks the fields that the vault refused. */
  markRefused(names: readonly string[]): void;
  isComplete(): boolean;
  readValues(): Readonly<Record<string, string>>;
  setDisabled(isDisabled: boolean): void;
  /** After a payment all fields; otherwise the security code, which must be typed for each try. */
  clear(isPaid: boolean): void;
  focusFirst(): void;
  applyLook(look: Readonly<Record<string, unknown>>): void;
  fillTestCard(name: string): void;
}

/** What proves the payer: the one-time secret of the intent, and that of the customer for a saved card. */
export interface PayerSecrets {
  readonly secret: string;
  readonly customerSecret: string | null;
}

/** What the session does outside its fields. */
export interface FrameConnections {
  readonly publish: (message: Readonly<Record<string, unknown>>) => void;
  /** Pays; rejects without an answer. */
  readonly pay: (secrets: PayerSecrets, body: Readonly<Record<string, unknown>>) => Promise<VaultAnswer>;
  /** Whether the frame may use the secret: in the page of an integrator it pays one intent only. */
  readonly isSecretAllowed: (secret: string) => boolean;
  /** Lets the issuer see the payer's device. Never rejects, and never takes long. */
  readonly showDevice: (secret: string, cardNumber: string) => Promise<void>;
}

const NO_ANSWER: VaultAnswer = { statusCode: 500, message: 'No answer.', authCode: '', transactionId: '' };
const NOT_SENT: VaultAnswer = { statusCode: 400, message: 'The fields are wrong.', authCode: '', transactionId: '' };
const NO_SECRET: VaultAnswer = { statusCode: 404, message: 'No secret.', authCode: '', transactionId: '' };
const FOREIGN_SECRET: VaultAnswer = {
  ...{ statusCode: 401, message: 'The secret is not of the payment of this frame.' },
  ...{ authCode: '', transactionId: '' },
};

/** The conversation of the frame with the page around it. */
export class FrameSession {
  #isBusy = false;

  constructor(
    private readonly fields: FrameFields,
    private readonly connections: FrameConnections,
  ) {}

  /** Handles a message of the page. Unknown ones are ignored, so that a newer page can speak to an older frame. */
  async handleMessage(message: Readonly<Record<string, unknown>>): Promise<void> {
    const { type, id } = message;
    if (type === 'hello') {
      this.fields.applyLook(message);
      this.connections.publish({ type: 'ready', isComplete: this.fields.isComplete() });
    } else if (type === 'submit') await this.#submit(message);
    else if (type === 'check') {
      const isRight = this.fields.markWrong(message['isFocusAllowed'] !== false).length === 0;
      this.connections.publish({ type: 'checked', id, isRight });
    } else if (type === 'focus') this.fields.focusFirst();
    else if (type === 'fill-test-card') this.fields.fillTestCard(String(message['name']));
  }

  async #submit({ id, secret, customerSecret, details }: Readonly<Record<string, unknown>>): Promise<void> {
    // The outcome of the running try is not known yet.
    if (this.#isBusy) {
      this.#publishResult(id, NO_ANSWER, []);
      return;
    }
    if (typeof secret !== 'string' || !this.connections.isSecretAllowed(secret)) {
      this.#publishResult(id, typeof secret === 'string' ? FOREIGN_SECRET : NO_SECRET, []);
      return;
    }
    const wrong = this.fields.markWrong(true);
    if (wrong.length > 0) {
      this.#publishResult(id, NOT_SENT, wrong);
      return;
    }
    this.#isBusy = true;
    const secrets = { secret, customerSecret: typeof customerSecret === 'string' ? customerSecret : null };
    const answer = await this.#pay(secrets, typeof details === 'object' ? details : {});
    this.#isBusy = false;
    const refused = Object.keys(answer.errors ?? {});
    this.fields.clear(answer.statusCode === 0);
    this.fields.markRefused(refused);
    this.#publishResult(id, answer, refused);
  }

  async #pay(secrets: PayerSecrets, details: object | null): Promise<VaultAnswer> {
    const values = this.fields.readValues();
    this.fields.setDisabled(true);
    try {
      // Without the number of the card there is no issuer to ask.
      const { cardNumber } = values;
      if (cardNumber !== undefined) await this.connections.showDevice(secrets.secret, cardNumber);
      return await this.connections.pay(secrets, { ...details, ...values });
    } catch {
      return NO_ANSWER;
    } finally {
      this.fields.setDisabled(false);
    }
  }

  #publishResult(id: unknown, answer: VaultAnswer, fields: readonly string[]): void {
    const { statusCode, message, authCode, transactionId, stepUpUrl, paReq, md } = answer;
    const result = { statusCode, message, authCode, transactionId, stepUpUrl, paReq, md };
    this.connections.publish({ type: 'result', id, result, fields });
  }
}
