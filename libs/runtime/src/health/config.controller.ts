import { Controller, Inject } from '@nestjs/common';
import { Route } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import type { ModelName } from '@stratalog/registry';
import { READ_CONFIG, READ_MCP_METADATA, READ_RESOURCE_METADATA } from './server.routes';
import { VERSION } from '../environment/version';

export const SERVER_CONFIG = Symbol('server config');

export interface ServerConfig {
  readonly baseUrl: string;
  /** Names the model and the calls. */
  readonly commit: string;
  /** The models besides the shipped one. */
  readonly models: readonly ModelName[];
  /** Whether people can sign in in a browser. */
  readonly hasSignIn: boolean;
  /** The identity provider whose tokens are accepted. */
  readonly issuer?: string;
  /** The scopes of its tokens that give rights here. */
  readonly tokenScopes?: readonly string[];
  /** The calls by which the Python SDK shall write. */
  readonly sdkWrites: 'openapi' | 'restli';
}

/** The first version of DataHub to which the SDK writes by OpenAPI. Later ones promise aspects and endpoints that are not tried here. */
const OPENAPI_VERSION = 'v1.0.1';

/**
 * Serves `/config`, the first request of every client.
 *
 * `noCode` must be the text "true", or the Python client rejects the server. The version of DataHub tells that client which calls to write
 * by.
 *
 * **Source**: `docs/wire-decisions.md`, Reading; `docs/clients.md`, Python.
 */
@Controller()
export class ConfigController {
  constructor(@Inject(SERVER_CONFIG) private readonly config: () => ServerConfig) {}

  @Route(READ_RESOURCE_METADATA)
  readResourceMetadata(): JsonOutputObject {
    return this.describeResource('');
  }

  @Route(READ_MCP_METADATA)
  readMcpMetadata(): JsonOutputObject {
    return this.describeResource('/mcp');
  }

  @Route(READ_CONFIG)
  read(): JsonOutputObject {
    const { baseUrl, commit, models, hasSignIn, sdkWrites } = this.config();
    const own = { version: `v${VERSION}`, commit };
    const spoken = sdkWrites === 'openapi' ? { version: OPENAPI_VERSION, commit } : own;
    return {
      noCode: 'true',
      retention: 'true',
      statefulIngestionCapable: true,
      patchCapable: true,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      supportsImpactAnalysis: false,
      versions: { 'acryldata/datahub': spoken, 'linkedin/datahub': own },
      baseUrl,
      telemetry: { enabledCli: false, enabledIngestion: false },
      managedIngestion: { enabled: false },
      datahub: { serverType: 'stratalog' },
      datasetUrnNameCasing: false,
      models: formatModels(models),
      ...(hasSignIn ? { signIn: '/session/sign-in' } : {}),
    };
  }

  /** **Source**: RFC 9728, section 2. */
  private describeResource(path: string): JsonOutputObject {
    const { baseUrl, issuer, tokenScopes = [] } = this.config();
    return {
      resource: baseUrl + path,
      ...(issuer === undefined ? {} : { authorization_servers: [issuer] }),
      ...(tokenScopes.length === 0 ? {} : { scopes_supported: tokenScopes }),
      bearer_methods_supported: ['header'],
      resource_name: 'Stratalog',
    };
  }
}

/** A model that does not load stops the start. Its folder is nobody's business but the operator's. */
function formatModels(models: readonly ModelName[]): JsonOutputObject {
  const loaded = { loadResult: 'SUCCESS', failureCount: 0 };
  const byName = new Map<string, JsonOutputObject>();
  for (const { name, version } of models) byName.set(name, { ...byName.get(name), [version]: loaded });
  return Object.fromEntries(byName);
}
