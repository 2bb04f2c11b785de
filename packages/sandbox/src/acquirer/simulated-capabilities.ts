import { type AcquirerCapabilities, type Capability, COMPLETE_CAPABILITIES, mapCapabilities } from '@pos/core/acquirer';
import { Wallet, type Capabilities } from '@pos/grpc-contracts/acquirer';

const COMPLETE: AcquirerCapabilities = {
  ...COMPLETE_CAPABILITIES,
  ...{ adapterName: 'sandbox', adapterVersion: '1' },
};

/** What the simulated acquirer cannot do: everything else it can. */
export type CapabilityLimits = { readonly lacks: readonly Capability[] } & {
  readonly [
    Limit in 'currencies' | 'cardSchemes' | 'wallets' | 'refundWindowMs' | 'notFoundFinalAfterMs' | 'inquiryHorizonMs'
  ]?: AcquirerCapabilities[Limit] | undefined;
};

/** What the simulated acquirer declares, and holds to. */
export class SimulatedCapabilities {
  #declared = COMPLETE;

  get declared(): AcquirerCapabilities {
    return this.#declared;
  }

  /** Declares everything with these limits. */
  limit({ lacks, ...limits }: CapabilityLimits): void {
    const set = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
    this.#declared = { ...COMPLETE, ...set, can: mapCapabilities((name) => !lacks.includes(name)) };
  }

  reset(): void {
    this.#declared = COMPLETE;
  }
}

/** The declaration as the contract sends it. */
export function presentCapabilities(declared: AcquirerCapabilities): Capabilities {
  const { can } = declared;
  return {
    adapterName: declared.adapterName,
    adapterVersion: declared.adapterVersion,
    currencies: [...(declared.currencies ?? [])],
    cardSchemes: [...(declared.cardSchemes ?? [])],
    wallets: declared.wallets.map((wallet) => WALLETS[wallet]),
    separateCapture: can.separate_capture,
    partialCapture: can.partial_capture,
    multipleCaptures: can.multiple_captures,
    incrementalAuthorisation: can.incremental_authorisation,
    partialRefund: can.partial_refund,
    multipleRefunds: can.multiple_refunds,
    unreferencedRefund: can.unreferenced_refund,
    refundWindow: presentDuration(declared.refundWindowMs),
    reversalAfterCapture: can.reversal_after_capture,
    partialReversal: can.partial_reversal,
    reversalOfUnknownReference: can.reversal_of_unknown_reference,
    notFoundFinalAfter: presentDuration(declared.notFoundFinalAfterMs),
    inquiryHorizon: presentDuration(declared.inquiryHorizonMs),
    challenge: can.challenge,
    cardVerification: can.card_verification,
    merchantInitiated: can.merchant_initiated,
    cardholderNotPresent: can.cardholder_not_present,
    bookedList: can.booked_list,
  };
}

const WALLETS = { APPLE_PAY: Wallet.WALLET_APPLE_PAY, GOOGLE_PAY: Wallet.WALLET_GOOGLE_PAY } as const;

function presentDuration(ms: number | null) {
  if (ms === null) return undefined;
  return { seconds: BigInt(Math.floor(ms / 1_000)), nanos: (ms % 1_000) * 1_000_000 };
}
