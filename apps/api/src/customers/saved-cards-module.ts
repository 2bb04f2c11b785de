import { Module } from '@nestjs/common';
import { SavedCardsController } from './saved-cards-controller.js';

/** Cards that customers have saved. */
@Module({ controllers: [SavedCardsController] })
export class SavedCardsModule {}
