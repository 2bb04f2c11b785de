import { PosUsageError } from '../errors/errors.js';
import type { FlowState } from '../flow/flow-state.js';
import { isRecord } from '../flow/payment-result.js';
import { PaymentService, type ServiceAddresses } from '../flow/payment-service.js';
import type { ResultCode } from '../flow/result-codes.js';
import { type PaymentTheme, readTheme } from '../flow/theme.js';
import { type WalletRequests, WALLETS } from '../flow/wallets.js';
import { defineElement } from './element.js';
import { requireText } from './payment-component.js';
import { PaymentSheetElement } from './payment-sheet.js';
import { createTexts } from './texts.js';

/** What starts a payment flow. */
export interface PaymentFlowConfig {
  readonly paymentIntentId: string;
  /** Offers the customer's saved cards. */
  readonly customerSecret?: string | undefined;
  readonly theme?: PaymentTheme | undefined;
  /** Displays wallets with the scripts of their makers. A wallet without a function is not offered. */
  readonly wallets?: WalletRequests | undefined;
  readonly service: ServiceAddresses;
  /** By the browser's languages when left out. */
  readonly language?: 'en' | 'de' | undefined;
  /** Is called with each state of the flow, such as the notice of a declined attempt. */
  readonly onState?: ((state: FlowState) => void) | undefined;
}

/**
 * Displays a payment on top of the page and resolves with its numeric result, one of `RESULT_CODES`. The result is no proof:
 * the integrator's server reads the payment intent. Rejects with `PosUsageError` for a configuration that cannot work.
 */
export async function startPaymentFlow(config: PaymentFlowConfig): Promise<ResultCode> {
  if (!isRecord(config)) throw new PosUsageError('config is no object');
  const { paymentIntentId, customerSecret, onState = () => undefined, language } = config;
  requireText('config.paymentIntentId', paymentIntentId);
  if (customerSecret !== undefined) requireText('config.customerSecret', customerSecret);
  if (!isRecord(config.service)) throw new PosUsageError('config.service is missing');
  const theme = readTheme(config.theme);
  const wallets = readWallets(config.wallets);
  const service = new PaymentService(config.service);
  const texts = createTexts(language === undefined ? navigator.languages : [language]);
  defineElement('pos-payment-sheet', PaymentSheetElement);
  const sheet = document.createElement('pos-payment-sheet') as PaymentSheetElement;
  document.body.append(sheet);
  return sheet.present({
    ...{ service, theme, wallets, texts, onState },
    subject: { paymentIntentId, customerSecret, wallets: WALLETS.filter((each) => wallets[each] !== undefined) },
  });
}

/** A page leaves out a wallet, or gives undefined, where the device has none. */
function readWallets(wallets: unknown = {}): WalletRequests {
  if (!isRecord(wallets)) throw new PosUsageError('config.wallets is no object');
  for (const [name, request] of Object.entries(wallets)) {
    if (!WALLETS.some((wallet) => wallet === name)) throw new PosUsageError(`config.wallets.${name} is no wallet`);
    if (request !== undefined && typeof request !== 'function')
      throw new PosUsageError(`config.wallets.${name} is no function`);
  }
  return wallets;
}
