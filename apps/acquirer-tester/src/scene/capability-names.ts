import type { Capabilities } from '@pos/grpc-contracts/acquirer';

/** The capabilities that an adapter declares or not. */
export type CapabilityName =
  | 'separateCapture'
  | 'partialCapture'
  | 'multipleCaptures'
  | 'incrementalAuthorisation'
  | 'partialRefund'
  | 'multipleRefunds'
  | 'reversalAfterCapture'
  | 'partialReversal'
  | 'reversalOfUnknownReference'
  | 'challenge'
  | 'cardVerification'
  | 'merchantInitiated'
  | 'cardholderNotPresent'
  | 'bookedList';

/** The capabilities of an adapter that answers UNIMPLEMENTED: everything except wallets, as the contract states. */
export const OLDER_ADAPTER: Capabilities = {
  ...{ adapterName: '', adapterVersion: '', currencies: [], cardSchemes: [], wallets: [] },
  ...{ separateCapture: true, partialCapture: true, multipleCaptures: true, incrementalAuthorisation: true },
  ...{ partialRefund: true, multipleRefunds: true, unreferencedRefund: true, refundWindow: undefined },
  ...{ reversalAfterCapture: true, partialReversal: true, reversalOfUnknownReference: true },
  ...{ notFoundFinalAfter: undefined, inquiryHorizon: undefined, challenge: true, cardVerification: true },
  ...{ merchantInitiated: true, cardholderNotPresent: true, bookedList: true },
};
