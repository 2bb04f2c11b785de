import { BRAND_FONTS } from '@pos/core/branding';
import { CARD_SCHEMES, WALLET_KINDS } from '@pos/core/cards';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import { webAddress } from '../shapes/shapes.js';

const switchedOff = z.boolean().default(false);

export const ConfigInput = z
  .object({
    title: freeText({ max: 100 })
      .optional()
      .describe('Heading of the payment page and title of its tab; the page has words of its own when not sent.'),
    redirectUrl: webAddress()
      .optional()
      .describe(
        'Where the page sends the payer after the payment, with `id` of the intent in the query. Without it the page displays the result.',
      ),
    cancelUrl: webAddress()
      .optional()
      .describe(
        'Where the page sends a payer who leaves without paying, with `id` of the intent in the query. The intent stays unchanged.',
      ),
    customerEmail: z
      .object({ collectionRequired: switchedOff.describe('True: the payer must enter an e-mail address to pay.') })
      .prefault({})
      .describe('Whether the page asks for an e-mail address.'),
    billingAddress: z
      .object({ collectionRequired: switchedOff.describe('True: the payer must enter a billing address to pay.') })
      .prefault({})
      .describe('Whether the page asks for the billing address.'),
    shippingDetails: z
      .object({ collectionRequired: switchedOff.describe('True: the payer must enter delivery details to pay.') })
      .prefault({})
      .describe('Whether the page asks for a delivery address.'),
    details: z
      .object({
        showTotal: switchedOff.describe('True: the page displays the total.'),
        showReference: switchedOff.describe('True: the page displays `reference`.'),
      })
      .prefault({})
      .describe('What the page displays about the payment.'),
    payment: z
      .object({
        customAmountAllowed: switchedOff.describe(
          'True: the amount can be changed before the payment, by you and by everybody who has the link; otherwise the operations for it answer 405. It also permits what `holdRaiseAllowed` permits.',
        ),
        tipsAllowed: switchedOff.describe(
          'True: the tip can be changed by the operation for it; otherwise that answers 405.',
        ),
        holdRaiseAllowed: switchedOff.describe(
          'True: your key can raise the amount while the payment is held. Payers cannot change it; without it, and without `customAmountAllowed`, the operation answers 405.',
        ),
      })
      .prefault({})
      .describe('Which amounts may change before the payment.'),
  })
  .meta({ id: 'NewCheckoutConfig', description: 'What the hosted page displays and requires.' });

/** The look of the merchant's pages; an account setting. */
export const Branding = z.object({
  logoUrl: z.string().optional().describe('Address of the logo; absent when the account has none.'),
  faviconUrl: z
    .string()
    .optional()
    .describe('Address of the small icon of the browser tab; absent when the account has none.'),
  accentColor: z.string().optional().meta({ description: 'The colour of the button, `#0b57d0`.' }),
  font: z.enum(BRAND_FONTS).optional().describe('The kind of letters of the page; the font of the system when absent.'),
});

const collects = z.object({ collectionRequired: z.boolean().describe('Whether the payer must enter it to pay.') });

export const Config = z
  .object({
    title: z.string().optional().describe('Heading of the payment page, if one was sent.'),
    redirectUrl: z
      .string()
      .optional()
      .describe('Where the page sends the payer after the payment, if an address was sent.'),
    cancelUrl: z
      .string()
      .optional()
      .describe('Where the page sends a payer who leaves without paying, if an address was sent.'),
    customerEmail: collects.describe('Whether the page asks for an e-mail address.'),
    billingAddress: collects.describe('Whether the page asks for the billing address.'),
    shippingDetails: collects.describe('Whether the page asks for a delivery address.'),
    details: z
      .object({
        showTotal: z.boolean().describe('Whether the page displays the total.'),
        showReference: z.boolean().describe('Whether the page displays `reference`.'),
      })
      .describe('What the page displays about the payment.'),
    payment: z
      .object({
        customAmountAllowed: z.boolean().describe('Whether the amount can be changed before the payment.'),
        tipsAllowed: z.boolean().describe('Whether the tip can be changed.'),
        holdRaiseAllowed: z.boolean().describe('Whether the amount can be raised while the payment is held.'),
      })
      .describe('Which amounts may change before the payment.'),
    branding: Branding.describe('The look of the merchant’s pages, from the settings of the account.'),
    tradingName: z.string().describe('Name of the merchant as payers know it, from the settings of the account.'),
  })
  .meta({ id: 'CheckoutConfig' });

export const MerchantConfig = z
  .object({
    supportedPaymentMethods: z
      .object({
        cardSchemes: z.array(z.enum(CARD_SCHEMES)).describe('Card schemes that the account accepts.'),
        wallets: z
          .array(z.enum(WALLET_KINDS))
          .describe('Wallets that the account accepts; empty when it accepts none.'),
      })
      .describe('What the account accepts, by its settings.'),
  })
  .meta({ id: 'MerchantConfig' });
