import { Module } from '@nestjs/common';
import { PAYMENT_SETTINGS } from '@pos/nest-modules';
import { provide } from '@pos/service-kit/nest';
import { AmountsController } from './amounts-controller.js';
import { IntentPresenter } from './intent-presenter.js';
import { PaymentIntentsController } from './payment-intents-controller.js';
import { PaymentLinksController } from './payment-links-controller.js';
import { PaymentMoneyController } from './payment-money-controller.js';
import { PublicIntentsController } from './public-intents-controller.js';

const PRESENTER = provide(
  IntentPresenter,
  { settings: PAYMENT_SETTINGS },
  ({ settings }) => new IntentPresenter(settings.checkoutBaseUrl),
);

/** Payment intents, and the money that moves after their approval. */
@Module({
  controllers: [
    PaymentIntentsController,
    PaymentMoneyController,
    AmountsController,
    PublicIntentsController,
    PaymentLinksController,
  ],
  providers: [PRESENTER],
})
export class PaymentIntentsModule {}
