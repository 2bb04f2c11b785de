import type { FrameLocator } from 'playwright-core';
import type { Payer } from './payer.js';
import type { TestShop } from './shop.js';

/** Where the pages of an integrator are served. */
export interface Origins {
  /** The accounts have registered it. */
  readonly registered: string;
  readonly stranger: string;
}

const ANSWER_MS_MAX = 1_500;

/** The page of an integrator in a payer's browser. */
export class IntegratorPage {
  constructor(
    private readonly payer: Payer,
    private readonly shop: TestShop,
    private readonly origins: Origins,
  ) {}

  /** Opens the page, and puts the card fields into it. */
  async mount(paymentDetails: object, more: object = {}, at: keyof Origins = 'registered'): Promise<void> {
    await this.#open(at);
    const config = { paymentDetails, service: this.#service, ...more };
    await this.#run(`mount(${JSON.stringify(config)})`);
    await this.#run('component.whenReady()');
  }

  /** Opens the page, and starts a payment flow on top of it. */
  async start(config: object): Promise<void> {
    await this.#open('registered');
    await this.#run(`void start(${JSON.stringify({ service: this.#service, ...config })})`);
  }

  /** Presses the button of the integrator, and reads the result. */
  async execute(details: object = {}): Promise<unknown> {
    await this.#run(`globalThis.execution = ${JSON.stringify(details)}`);
    await this.payer.page.getByRole('button', { name: 'Buy' }).click();
    return this.readOutput();
  }

  /** Presses the button of the flow. */
  async pay(): Promise<void> {
    await this.payer.page.getByRole('button', { name: /^Pay (?!with )/ }).click();
  }

  /** The result that the page displays, once it has one. */
  async readOutput(): Promise<unknown> {
    const output = this.payer.page.locator('output:not(:empty)');
    const text = (await output.textContent()) ?? '';
    await this.#run(`document.querySelector('output').textContent = ''`);
    return text.startsWith('{') ? JSON.parse(text) : text;
  }

  readEvents(): Promise<unknown[]> {
    return this.payer.page.evaluate<unknown[]>('events');
  }

  /** The places outside the vault that have the text: the page, its storage, its messages, and requests to others. */
  async findOutsideVault(text: string): Promise<string[]> {
    const vault = this.shop.world.addresses.cardVault[0] ?? '';
    const digits = text.replaceAll(' ', '');
    const places = await this.payer.page.evaluate<Record<string, string>>(`({
      document: document.documentElement.outerHTML + [...document.querySelectorAll('*')]
        .map((element) => (element.shadowRoot?.innerHTML ?? '') + (element.value ?? '')).join(''),
      messages: JSON.stringify(received), events: JSON.stringify(events), address: location.href,
      storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    })`);
    const sent = this.payer.sent
      .filter(({ url }) => !url.startsWith(`${vault}/`))
      .map(({ url, body }) => `${url} ${body}`);
    return Object.entries({ ...places, requests: sent.join(' ') }).flatMap(([place, content]) =>
      content.replaceAll(/[\s+-]|%20/g, '').includes(digits) ? [place] : [],
    );
  }

  /** Embeds an address of the vault without the component. */
  async embed(path: string): Promise<void> {
    const address = `${this.shop.world.addresses.cardVault[0] ?? ''}${path}`;
    await this.#run(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { id: 'by-hand', src: ${JSON.stringify(address)} });
      frame.addEventListener('load', () => resolve());
      document.body.append(frame);
    })`);
  }

  /** Sends the page a message that pretends to come from the vault. */
  async forge(message: object): Promise<void> {
    await this.#run(`postMessage(${JSON.stringify(message)}, '*')`);
  }

  /** Submits the card fields without the component, and reads their answer. */
  submitByHand(message: object): Promise<unknown> {
    return this.#submitFrom('window', message);
  }

  /** The same from a frame beside the card fields. */
  async submitFromSibling(message: object): Promise<unknown> {
    await this.#run(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { id: 'sibling', src: '/sibling' });
      frame.addEventListener('load', () => resolve());
      document.body.append(frame);
    })`);
    return this.#submitFrom(`document.getElementById('sibling').contentWindow`, message);
  }

  /** Each window has its own function to post, so that it is the source of the message. */
  #submitFrom(from: string, message: object): Promise<unknown> {
    const submission = JSON.stringify({ type: 'submit', id: 77, details: {}, ...message });
    return this.payer.page.evaluate<unknown>(`new Promise((resolve) => {
      const receive = ({ data }) => { if (data.type === 'result' && data.id === 77) resolve(data.result); };
      for (const each of [window, ${from}]) each.addEventListener('message', receive);
      setTimeout(() => resolve('no answer'), ${ANSWER_MS_MAX});
      ${from}.postToFields(${submission});
    })`);
  }

  /** The page of the issuer. */
  get issuer(): FrameLocator {
    return this.payer.page.frameLocator('dialog.bank iframe');
  }

  get #service() {
    const { api, cardVault } = this.shop.world.addresses;
    return { apiUrl: api[0], cardVaultUrl: cardVault[0] };
  }

  async #open(at: keyof Origins): Promise<void> {
    await this.payer.page.goto(this.origins[at]);
    await this.payer.page.locator('html[data-ready]').waitFor();
  }

  /** As an expression of the debugger, which no policy of the page keeps from running. */
  async #run(script: string): Promise<void> {
    await this.payer.page.evaluate(script);
  }
}
