import type { Addresses } from '@stratalog/local-stack';

export interface AppPlace {
  /** What every app gets as it is. */
  readonly environment: NodeJS.ProcessEnv;
  readonly addresses: Addresses;
  /** Where the apps share the operator's token. */
  readonly tokenDir: string;
}

/** The environment of an app on this machine: on a free port, unless `settings` say otherwise. */
export function appEnvironment(
  { environment, addresses, tokenDir }: AppPlace,
  settings: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    ...environment,
    ...addresses,
    STRATALOG_PROFILE: 'distributed',
    STRATALOG_HOST: '127.0.0.1',
    STRATALOG_PORT: '0',
    STRATALOG_METRICS_PORT: '0',
    STRATALOG_DATA_DIR: tokenDir,
    ...settings,
  };
}
