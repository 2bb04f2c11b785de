/** A card as a payer types it. */
export interface TypedCard {
  readonly number: string;
  /** `CV2` unless said otherwise. */
  readonly cv2?: string;
}

export const CV2 = '020';
export const EXPIRY = '12/32';
export const NAME = 'A Guest';

export const APPROVED = { number: '4456 5300 0009 1014' };
export const APPROVED_TOO = { number: '5200 0000 0000 1005' };
export const DECLINED = { number: '4456 5300 0000 1013', cv2: '341' };
export const CHALLENGED = { number: '4456 5300 0000 1096' };
export const ANSWERED_LATE = { number: '4456 5300 0009 1055' };
