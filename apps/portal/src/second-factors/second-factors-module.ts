import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions-module.js';
import { SecondFactorController } from './second-factor-controller.js';
import { SignInStepController } from './sign-in-step-controller.js';

/** The second step of a sign-in, and the second factors of the user of a session. */
@Module({ imports: [SessionsModule], controllers: [SecondFactorController, SignInStepController] })
export class SecondFactorsModule {}
