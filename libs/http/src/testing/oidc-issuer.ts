import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';
import Provider from 'oidc-provider';

export const AUDIENCE = 'https://catalog.example';

/** A pair of keys of an issuer. */
export interface IssuerKeys {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function makeKeys(algorithm: string): Promise<IssuerKeys> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = createHash('sha256').update(JSON.stringify(jwk)).digest('hex').slice(0, 12);
  return { privateKey, jwk: { ...jwk, kid, alg: algorithm, use: 'sig' } };
}

/** Claims of a person, by the scope that gives them. */
const CLAIMS = { openid: ['sub'], email: ['email'], profile: ['name', 'groups'] };

/**
 * An OpenID provider on a free port, whose client `connector` gets access tokens as JWTs. People sign in at its client `catalog` without being
 * asked anything, as the user `person`.
 */
export class OidcIssuer {
  /** Claims of whoever signs in next; `undefined`: the provider rejects them. */
  person: { readonly sub: string; readonly [claim: string]: unknown } | undefined = { sub: 'jane' };

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly redirectUrl: string,
  ) {}

  /** `redirectUrl`: the address to which it leads people back. */
  static async start(
    keys: IssuerKeys,
    redirectUrl = 'http://127.0.0.1/session/callback',
  ): Promise<OidcIssuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const issuer = new OidcIssuer(server, `http://127.0.0.1:${String(port)}`, redirectUrl);
    issuer.use(keys);
    return issuer;
  }

  /** Signs with these keys from now on, and publishes no others. */
  use({ jwk }: IssuerKeys): void {
    const provider = new Provider(this.url, {
      clients: [
        {
          client_id: 'connector',
          client_secret: 'a-secret',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
        {
          client_id: 'catalog',
          client_secret: 'another-secret',
          grant_types: ['authorization_code'],
          redirect_uris: [this.redirectUrl],
          response_types: ['code'],
          id_token_signed_response_alg: jwk.alg as 'RS256',
        },
      ],
      jwks: { keys: [jwk] },
      claims: CLAIMS,
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, ...this.person }),
      }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      loadExistingGrant: async ({ oidc: { client, session } }) => {
        const grant = new provider.Grant({
          ...(client === undefined ? {} : { clientId: client.clientId }),
          ...(session?.accountId === undefined ? {} : { accountId: session.accountId }),
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      cookies: { keys: ['unused'] },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, resource) => ({
            scope: 'stratalog.read stratalog.write',
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: 600,
            jwt: { sign: { alg: jwk.alg as 'RS256' } },
          }),
        },
      },
      extraTokenClaims: () => ({ realm_access: { roles: ['stewards'] }, email: 'jane@example.com' }),
    });
    this.server.removeAllListeners('request');
    const serve = provider.callback() as RequestListener;
    this.server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) {
        serve(request, response);
        return;
      }
      const { person } = this;
      const result = person === undefined ? { error: 'access_denied' } : { login: { accountId: person.sub } };
      void provider.interactionFinished(request, response, result);
    });
  }

  /** Gets an access token as a connector does. */
  async issueToken(scope: string, resource = AUDIENCE): Promise<string> {
    const answer = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('connector:a-secret').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
    });
    const { access_token: token } = (await answer.json()) as { readonly access_token?: string };
    if (token === undefined) throw new Error(`The issuer answered with ${String(answer.status)}`);
    return token;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
