import { Global, Module } from '@nestjs/common';
import { ApiDatabase } from './api-database.js';

/** The database as controllers use it. */
@Global()
@Module({ providers: [ApiDatabase], exports: [ApiDatabase] })
export class ApiDatabaseModule {}
