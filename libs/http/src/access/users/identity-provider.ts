import { UnauthenticatedError, UnavailableError } from '@stratalog/domain';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client';
import { readJwtUser, type JwtOptions, type JwtUser } from './jwt-verifier';

export interface IdentityProviderOptions {
  readonly clientId: string;
  /** Absent for a public client, which PKCE alone protects. */
  readonly clientSecret?: string;
  /** Scopes that are requested from the provider, separated by blanks. */
  readonly scope: string;
  /** The address to which the provider sends the browser back. */
  readonly redirectUrl: string;
  /** How claims name the user and give scopes. */
  readonly jwt: Pick<
    JwtOptions,
    'issuer' | 'clockToleranceSeconds' | 'actorClaim' | 'scopeRules' | 'urnNamespace'
  >;
}

/** What the browser keeps between the two halves of a sign-in. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const ANSWER_LIMIT_SECONDS = 5;
/** Faults of the provider's answer or of the way to it. */
const PROVIDER_FAULTS: ReadonlySet<string | undefined> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
]);
/** A provider that does not answer is asked again after this time, however many people sign in. */
const FAULT_PAUSE_MS = 1_000;

/**
 * Signs people in with an OpenID provider, by the authorization code flow with PKCE.
 *
 * **Errors**: `UnavailableError` when the provider does not answer as it should.
 * **Source**: OpenID Connect Core 1.0, section 3.1; RFC 7636.
 */
export class IdentityProvider {
  private provider: Promise<Configuration> | undefined;

  constructor(private readonly options: IdentityProviderOptions) {}

  /** Returns the address where the browser goes to sign in. */
  async begin(): Promise<{ readonly address: string; readonly attempt: SignInAttempt }> {
    const provider = await this.discover();
    const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const address = buildAuthorizationUrl(provider, {
      redirect_uri: this.options.redirectUrl,
      scope: this.options.scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { address: address.href, attempt };
  }

  /**
   * Returns the user for the query with which the provider sent the browser back.
   *
   * **Errors**: `UnauthenticatedError` when the provider rejected the sign-in, when it does not belong to the attempt, or when its claims
   * name no user.
   */
  async finish(query: string, { state, nonce, verifier }: SignInAttempt): Promise<JwtUser> {
    const provider = await this.discover();
    const { redirectUrl, scope, jwt } = this.options;
    const url = new URL(redirectUrl);
    url.search = query;
    const tokens = await authorizationCodeGrant(provider, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    }).catch((error: unknown) => {
      throw toRejection(error);
    });
    const claims = tokens.claims();
    // Providers may leave groups and the like out of the ID token.
    const more =
      provider.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await fetchUserInfo(provider, tokens.access_token, claims?.sub ?? '').catch((error: unknown) => {
            throw unavailable(error);
          });
    // A provider that grants what was requested need not name it.
    return readJwtUser({ ...more, ...claims, scope: tokens.scope ?? scope }, jwt);
  }

  private discover(): Promise<Configuration> {
    if (this.provider !== undefined) return this.provider;
    const { clientId, clientSecret, jwt } = this.options;
    const issuer = new URL(jwt.issuer);
    const provider = discovery(
      issuer,
      clientId,
      {
        [clockTolerance]: jwt.clockToleranceSeconds,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      },
      undefined,
      {
        timeout: ANSWER_LIMIT_SECONDS,
        // The settings permit it for an issuer on this machine only.
        // oxlint-disable-next-line typescript/no-deprecated -- it is marked so that nobody permits it by accident
        execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
      },
    ).catch((error: unknown) => {
      throw unavailable(error);
    });
    this.provider = provider;
    provider.catch(() => {
      setTimeout(() => (this.provider = undefined), FAULT_PAUSE_MS).unref();
    });
    return provider;
  }
}

/** The provider's own words stay out of the message: anyone may send the browser back with other ones. */
function toRejection(error: unknown): Error {
  const isRejection =
    error instanceof AuthorizationResponseError ||
    (error instanceof ResponseBodyError && error.status < 500) ||
    (error instanceof ClientError && !PROVIDER_FAULTS.has(error.code));
  return isRejection
    ? new UnauthenticatedError('The identity provider did not sign the user in', { cause: error })
    : unavailable(error);
}

function unavailable(cause: unknown): UnavailableError {
  return new UnavailableError('The identity provider does not answer', { cause });
}
