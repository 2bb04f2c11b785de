import { Module } from '@nestjs/common';
import { BrandingController } from './branding-controller.js';

/** The look of the payment page. */
@Module({ controllers: [BrandingController] })
export class BrandingModule {}
