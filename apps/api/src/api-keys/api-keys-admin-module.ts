import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys-controller.js';

/** The keys of an account. */
@Module({ controllers: [ApiKeysController] })
export class ApiKeysAdminModule {}
