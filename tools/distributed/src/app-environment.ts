import type { Addresses } from '@stratalog/local-stack';

export interface AppPlace {
  /** The variables that every app gets unchanged. */
  readonly environment: NodeJS.ProcessEnv;
  readonly addresses: Addresses;
  /** The operator's token, which all apps share. */
  readonly token: string;
}

/** Returns the environment of an app on this machine: on a free port, unless `settings` override it. */
export function appEnvironment(
  { environment, addresses, token }: AppPlace,
  settings: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    ...environment,
    ...addresses,
    STRATALOG_PROFILE: 'distributed',
    STRATALOG_HOST: '127.0.0.1',
    STRATALOG_PORT: '0',
    STRATALOG_METRICS_PORT: '0',
    STRATALOG_TOKEN: token,
    ...settings,
  };
}
