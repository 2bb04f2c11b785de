import { CardNumber, type CardExpiry, Cv2, readExpiry, toAsciiDigits } from '@pos/core/cards';
import { z } from 'zod';
import { text } from '../shapes/shapes.js';

// A number is parsed into a type that cannot be printed, so no code behind these schemas has it as text.

/** Approved in every sandbox. */
export const TEST_NUMBER = '4456530000091014';

export const CardNumberInput = z
  .string()
  .transform((sent, subject) => {
    const number = CardNumber.read(sent);
    if (number !== null) return number;
    // The input is left out, because an issue may be printed and must not contain it.
    subject.issues.push({ code: 'custom', input: null, message: 'Must be a card number of 12 to 19 digits.' });
    return z.NEVER;
  })
  .meta({
    description: '12 to 19 digits, of any script, with a right check digit; spaces and hyphens do not count.',
  });

export const ExpiryInput = z
  .string()
  .transform((sent, subject): CardExpiry => {
    const expiry = readExpiry(sent);
    if (expiry !== null) return expiry;
    subject.issues.push({ code: 'custom', input: null, message: 'Must be a month as MM/YY.' });
    return z.NEVER;
  })
  .meta({ description: '`MM/YY` in digits of any script, blanks allowed.', examples: ['12/32'] });

export const Cv2Input = z
  .string()
  .transform((sent, subject) => {
    const cv2 = Cv2.read(sent);
    if (cv2 !== null) return cv2;
    subject.issues.push({ code: 'custom', input: null, message: 'Must be 3 or 4 digits.' });
    return z.NEVER;
  })
  .meta({ description: 'The digits that prove the card to be at hand; never stored.' });

/** The name on the card. A number in this field is refused, because names are stored. */
export const CardNameInput = text({ min: 1, max: 100 }).refine(
  (name) => CardNumber.read(toAsciiDigits(name).replaceAll(/\D/g, '')) === null,
  { error: 'Must be a name.' },
);
