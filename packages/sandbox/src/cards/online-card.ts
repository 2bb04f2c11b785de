/** A card as it is charged online. */
export interface OnlineCard {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cv2: string;
  readonly cardholderName: string;
}
