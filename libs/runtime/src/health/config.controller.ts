import { Controller, Inject } from '@nestjs/common';
import { Route } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { READ_CONFIG } from './server.routes';
import { VERSION } from '../environment/version';

export const SERVER_CONFIG = Symbol('server config');

export interface ServerConfig {
  readonly baseUrl: string;
  /** Names the model and the calls. */
  readonly commit: string;
}

/**
 * Serves `/config`, the first request of every client.
 *
 * `noCode` must be the text "true", or the Python client rejects the server. The version stays below the one
 * from which that client would write to another API.
 *
 * **Source**: `docs/wire-decisions.md`, Reading; `docs/clients.md`, Python.
 */
@Controller()
export class ConfigController {
  constructor(@Inject(SERVER_CONFIG) private readonly config: () => ServerConfig) {}

  @Route(READ_CONFIG)
  read(): JsonOutputObject {
    const { baseUrl, commit } = this.config();
    const version = { version: `v${VERSION}`, commit };
    return {
      noCode: 'true',
      retention: 'true',
      statefulIngestionCapable: true,
      patchCapable: true,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      supportsImpactAnalysis: false,
      versions: { 'acryldata/datahub': version, 'linkedin/datahub': version },
      baseUrl,
      telemetry: { enabledCli: false, enabledIngestion: false },
      managedIngestion: { enabled: false },
      datahub: { serverType: 'stratalog' },
      datasetUrnNameCasing: false,
      models: {},
    };
  }
}
