import { Module } from '@nestjs/common';
import { PublicSetupsController } from './public-setups-controller.js';
import { SetupIntentsController } from './setup-intents-controller.js';

/** Setup intents, for the merchant and for the payer. */
@Module({ controllers: [SetupIntentsController, PublicSetupsController] })
export class SetupIntentsModule {}
