import { Module } from '@nestjs/common';
import { SetupsController } from './setups-controller.js';
import { VaultDatabase } from './vault-database.js';

/** Setup intents that a merchant creates together with a card. */
@Module({ controllers: [SetupsController], providers: [VaultDatabase], exports: [VaultDatabase] })
export class SetupsModule {}
