import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import { OIDC_CALLBACK_PATH } from '@pos/rest-contracts/portal';
import { CONFIG } from '@pos/service-kit/nest';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { Config } from '../config/config.js';
import type { SignInAttempt } from './sign-in-attempts.js';

/** The claims of an ID token that was checked: its signature, issuer, audience, nonce and times. */
export interface VerifiedClaims {
  readonly email: unknown;
  readonly isEmailVerified: boolean;
  /** When the user was authenticated there; null where the provider does not state it. */
  readonly authenticatedAt: Date | null;
  /** Whether the provider states a second factor, by a value that the operator has named. */
  readonly isBothFactors: boolean;
}

const SCOPE = 'openid email';
const TIMEOUT_SECONDS = 10;

/** Talks to the OpenID Connect provider of the operator, where there is one (ADR 0101). */
@Injectable()
export class OidcClient {
  #configuration: Promise<Configuration> | null = null;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  get isConfigured(): boolean {
    return this.config.OIDC_ISSUER !== undefined;
  }

  /** Where the browser goes to sign in at the provider. */
  async buildAuthorizationUrl({ state, nonce, codeVerifier, sessionHash }: SignInAttempt): Promise<string> {
    const url = buildAuthorizationUrl(await this.#getConfiguration(), {
      redirect_uri: this.#buildCallbackUrl(''),
      scope: SCOPE,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      // A confirmation needs the user, not a session that is open at the provider.
      ...(sessionHash !== null && { prompt: 'login', max_age: '0' }),
    });
    return url.href;
  }

  /**
   * Exchanges the code of a callback. Rejects with the library's error when anything is not as the attempt expects.
   * `query` is the part of the callback's address from `?` on.
   */
  async verifyCallback(query: string, { state, nonce, codeVerifier }: SignInAttempt): Promise<VerifiedClaims> {
    const tokens = await authorizationCodeGrant(
      await this.#getConfiguration(),
      new URL(this.#buildCallbackUrl(query)),
      { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true },
    );
    const claims = tokens.claims();
    const authenticatedS = claims?.['auth_time'];
    return {
      ...{ email: claims?.['email'], isEmailVerified: claims?.['email_verified'] === true },
      authenticatedAt: typeof authenticatedS === 'number' ? new Date(authenticatedS * 1_000) : null,
      isBothFactors: this.#statesSecondFactor(claims?.['amr'], claims?.['acr']),
    };
  }

  #statesSecondFactor(methods: unknown, contextClass: unknown): boolean {
    const accepted = new Set(this.config.OIDC_SECOND_FACTORS?.split(',') ?? []);
    const stated: readonly unknown[] = [...(Array.isArray(methods) ? (methods as unknown[]) : []), contextClass];
    return stated.some((each) => typeof each === 'string' && accepted.has(each));
  }

  #buildCallbackUrl(query: string): string {
    const base = this.config.PORTAL_BASE_URL ?? '';
    return `${base.replace(/\/$/, '')}${OIDC_CALLBACK_PATH}${query}`;
  }

  /** Reads the provider's metadata once; a failure is tried again by the next user. */
  #getConfiguration(): Promise<Configuration> {
    this.#configuration ??= this.#discover().catch((error: unknown) => {
      this.#configuration = null;
      throw error;
    });
    return this.#configuration;
  }

  async #discover(): Promise<Configuration> {
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = this.config;
    if (issuer === undefined || clientId === undefined || secret === undefined) {
      throw new Refusal('path_unknown', 'This portal has no identity provider.');
    }
    const isPlain = issuer.startsWith('http:');
    return discovery(new URL(issuer), clientId, {}, chooseAuthentication(secret.reveal()), {
      timeout: TIMEOUT_SECONDS,
      // Plain HTTP is refused by the settings in production. The signature is checked although TLS protects the token.
      // oxlint-disable-next-line typescript/no-deprecated -- marked so that it stands out; the library keeps it
      execute: [...(isPlain ? [allowInsecureRequests] : []), enableNonRepudiationChecks],
    });
  }
}

/** HTTP Basic, which is the standard's default, unless the provider lists only others. */
function chooseAuthentication(secret: string): ClientAuth {
  return (...request) => {
    const [server] = request;
    const isBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
    const authenticate = isBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    authenticate(...request);
  };
}
