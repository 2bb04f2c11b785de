import { Module } from '@nestjs/common';
import { CardFieldsController } from './card-fields-controller.js';
import { EmbeddedFrames } from './embedded-frames.js';
import { EmbeddingOrigins } from './embedding-origins.js';

/** The card fields in pages of integrators. */
@Module({ controllers: [CardFieldsController], providers: [EmbeddingOrigins, EmbeddedFrames] })
export class FrameModule {}
