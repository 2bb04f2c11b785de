import { type AcquirerCapabilities, type Capability, mapCapabilities } from '@pos/core/acquirer';
import { CARD_SCHEMES, type WalletKind } from '@pos/core/cards';
import { toStorable } from '@pos/core/refusals';
import { type Capabilities as WireCapabilities, Wallet } from '@pos/grpc-contracts/acquirer';

const NAME_LENGTH_MAX = 64;
const LISTED_MAX = 1_000;

/**
 * What an adapter declares, in our words; or the sentence that says why it cannot be read. A scheme or a wallet that this
 * release does not know is left out.
 */
export function capabilitiesFromWire(sent: WireCapabilities | undefined): AcquirerCapabilities | string {
  if (sent === undefined) return 'it declares nothing';
  const declared = toStorable(sent);
  const { adapterName, adapterVersion, currencies, cardSchemes } = declared;
  if (adapterName.length < 1 || adapterName.length > NAME_LENGTH_MAX) return 'adapter_name has 1 to 64 characters';
  if (adapterVersion.length > NAME_LENGTH_MAX) return 'adapter_version has at most 64 characters';
  if (currencies.length > LISTED_MAX || cardSchemes.length > LISTED_MAX) return 'a list is too long';
  const odd = currencies.find((code) => !/^[A-Z]{3}$/.test(code));
  if (odd !== undefined) return 'currencies holds what is no code of ISO 4217';
  const schemes = CARD_SCHEMES.filter((scheme) => cardSchemes.includes(scheme));
  return {
    ...{ adapterName, adapterVersion },
    can: mapCapabilities((name) => READERS[name](declared)),
    currencies: currencies.length === 0 ? null : currencies,
    cardSchemes: cardSchemes.length === 0 ? null : schemes,
    wallets: declared.wallets.flatMap((wallet) => WALLETS[wallet] ?? []),
    refundWindowMs: toMilliseconds(declared.refundWindow),
    notFoundFinalAfterMs: toMilliseconds(declared.notFoundFinalAfter),
    inquiryHorizonMs: toMilliseconds(declared.inquiryHorizon),
  };
}

const READERS: Readonly<Record<Capability, (sent: WireCapabilities) => boolean>> = {
  separate_capture: (sent) => sent.separateCapture,
  partial_capture: (sent) => sent.partialCapture,
  multiple_captures: (sent) => sent.multipleCaptures,
  incremental_authorisation: (sent) => sent.incrementalAuthorisation,
  partial_refund: (sent) => sent.partialRefund,
  multiple_refunds: (sent) => sent.multipleRefunds,
  unreferenced_refund: (sent) => sent.unreferencedRefund,
  reversal_after_capture: (sent) => sent.reversalAfterCapture,
  partial_reversal: (sent) => sent.partialReversal,
  reversal_of_unknown_reference: (sent) => sent.reversalOfUnknownReference,
  challenge: (sent) => sent.challenge,
  card_verification: (sent) => sent.cardVerification,
  merchant_initiated: (sent) => sent.merchantInitiated,
  cardholder_not_present: (sent) => sent.cardholderNotPresent,
  booked_list: (sent) => sent.bookedList,
};

const WALLETS = {
  [Wallet.WALLET_UNSPECIFIED]: null,
  [Wallet.WALLET_APPLE_PAY]: 'APPLE_PAY',
  [Wallet.WALLET_GOOGLE_PAY]: 'GOOGLE_PAY',
  [Wallet.UNRECOGNIZED]: null,
} as const satisfies Record<Wallet, WalletKind | null>;

/** The wallet of an authorisation, as the adapter reads it. */
export const WIRE_WALLETS = {
  APPLE_PAY: Wallet.WALLET_APPLE_PAY,
  GOOGLE_PAY: Wallet.WALLET_GOOGLE_PAY,
} as const satisfies Record<WalletKind, Wallet>;

/** A limit beyond what can be counted, or a negative one, is none. */
function toMilliseconds(span: WireCapabilities['refundWindow']): number | null {
  if (span === undefined) return null;
  const ms = Number(span.seconds) * 1_000 + Math.floor(span.nanos / 1_000_000);
  return Number.isSafeInteger(ms) && ms >= 0 ? ms : null;
}
