import { delimiter, resolve } from 'node:path';
import { AUTH_MODES, type AuthMode } from '@stratalog/http';
import { InvalidSettingError } from '@stratalog/model';
import { z } from 'zod';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

/** All settings of a process, parsed once. */
export interface Settings {
  readonly profile: 'embedded';
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly databasePoolSize: number;
  /** More model folders, read after the built-in one. */
  readonly modelFolders: readonly string[];
  readonly auth: AuthMode;
  readonly token?: string;
  readonly partitions: number;
  readonly maxBodyBytes: number;
  readonly commitTimeoutMs: number;
  readonly positionTimeoutMs: number;
  readonly vendor: string;
  readonly urnNamespace: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

interface SettingSpec {
  readonly name: string;
  readonly help: string;
  /** What may stand there, for the refusal and the help. */
  readonly allowed: string;
  readonly fallback?: string;
  readonly secret?: boolean;
  readonly schema: z.ZodType<string, string>;
}

const text = z.string();
const integer = (minimum: number, maximum: number): z.ZodType<string, string> =>
  text.regex(/^\d{1,15}$/).refine((digits) => Number(digits) >= minimum && Number(digits) <= maximum);
const oneOf = (values: readonly string[]): z.ZodType<string, string> =>
  text.refine((value) => values.includes(value));
const within = (minimum: number, maximum: number) => ({
  allowed: `an integer from ${minimum} to ${maximum}`,
  schema: integer(minimum, maximum),
});
const among = (values: readonly string[]) => ({ allowed: values.join(', '), schema: oneOf(values) });

/** Every setting: the order is that of the help and of the settings page. */
export const SETTINGS: readonly SettingSpec[] = [
  {
    name: 'STRATALOG_PROFILE',
    help: 'Which servers the catalog runs on.',
    fallback: 'embedded',
    ...among(['embedded']),
  },
  {
    name: 'STRATALOG_HOST',
    help: 'Address to listen on.',
    fallback: '127.0.0.1',
    allowed: 'a host name or address',
    schema: text.regex(/^[\w.:-]+$/),
  },
  {
    name: 'STRATALOG_PORT',
    help: 'Port to listen on; 0 picks a free one.',
    fallback: '8080',
    ...within(0, 65_535),
  },
  {
    name: 'STRATALOG_DATA_DIR',
    help: 'Folder for everything that the catalog keeps.',
    fallback: '.stratalog',
    allowed: 'a path',
    schema: text.min(1),
  },
  {
    name: 'DATABASE_URL',
    help: 'A PostgreSQL server to use instead of the embedded one.',
    allowed: 'postgres://user:password@host:port/database',
    schema: text.refine((url) => /^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')),
    secret: true,
  },
  {
    name: 'DATABASE_POOL_SIZE',
    help: 'Connections to PostgreSQL at most.',
    fallback: '12',
    ...within(4, 500),
  },
  {
    name: 'STRATALOG_MODELS',
    help: `More model folders, separated by "${delimiter}".`,
    allowed: 'paths',
    schema: text,
  },
  {
    name: 'STRATALOG_AUTH',
    help: 'Which calls need a token. On a host other than loopback it must be all, unless STRATALOG_INSECURE_HOST allows less.',
    fallback: 'operations',
    ...among(AUTH_MODES),
  },
  {
    name: 'STRATALOG_TOKEN',
    help: "The operator's token. Without it one is made at the first start and kept in the data folder.",
    allowed: 'at least 16 characters without blanks',
    schema: text.regex(/^[\x21-\x7e]{16,1000}$/),
    secret: true,
  },
  {
    name: 'STRATALOG_INSECURE_HOST',
    help: 'The host for which STRATALOG_AUTH may be less than all; must equal STRATALOG_HOST.',
    allowed: 'the value of STRATALOG_HOST',
    schema: text,
  },
  {
    name: 'STRATALOG_PARTITIONS',
    help: 'Partitions of a new store; one that exists keeps its own.',
    fallback: '16',
    ...within(1, 1_024),
  },
  {
    name: 'STRATALOG_MAX_BODY_BYTES',
    help: 'Larger request bodies are refused with 413.',
    fallback: '16777216',
    ...within(1_024, 134_217_728),
  },
  {
    name: 'STRATALOG_COMMIT_TIMEOUT_MS',
    help: 'How long a synchronous write waits for its commit.',
    fallback: '10000',
    ...within(10, 600_000),
  },
  {
    name: 'STRATALOG_POSITION_TIMEOUT_MS',
    help: 'How long a search waits for the position that it was asked to include.',
    fallback: '10000',
    ...within(10, 600_000),
  },
  {
    name: 'STRATALOG_VENDOR',
    help: 'The vendor part of record names.',
    fallback: 'linkedin',
    allowed: 'a lower-case name',
    schema: text.regex(/^[a-z][a-z0-9]*$/),
  },
  {
    name: 'STRATALOG_URN_NAMESPACE',
    help: 'The namespace part of urns.',
    fallback: 'li',
    allowed: 'a lower-case name',
    schema: text.regex(/^[a-z][a-z0-9]*$/),
  },
  {
    name: 'STRATALOG_LOG_LEVEL',
    help: 'The least severe messages that are logged, as JSON lines on standard error.',
    fallback: 'info',
    ...among(LOG_LEVELS),
  },
];

/**
 * Parses the settings of a process.
 *
 * **Errors**: `InvalidSettingError` naming the setting, its value and what is allowed.
 */
export function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = new Map(SETTINGS.map((spec) => [spec.name, valueOf(spec, environment[spec.name])]));
  const required = (name: string): string => given.get(name) ?? '';
  const databaseUrl = given.get('DATABASE_URL');
  const token = given.get('STRATALOG_TOKEN');
  const settings: Settings = {
    profile: 'embedded',
    host: required('STRATALOG_HOST'),
    port: Number(required('STRATALOG_PORT')),
    dataDir: resolve(required('STRATALOG_DATA_DIR')),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    databasePoolSize: Number(required('DATABASE_POOL_SIZE')),
    modelFolders: required('STRATALOG_MODELS')
      .split(delimiter)
      .filter((folder) => folder !== '')
      .map((folder) => resolve(folder)),
    auth: required('STRATALOG_AUTH') as AuthMode,
    ...(token === undefined ? {} : { token }),
    partitions: Number(required('STRATALOG_PARTITIONS')),
    maxBodyBytes: Number(required('STRATALOG_MAX_BODY_BYTES')),
    commitTimeoutMs: Number(required('STRATALOG_COMMIT_TIMEOUT_MS')),
    positionTimeoutMs: Number(required('STRATALOG_POSITION_TIMEOUT_MS')),
    vendor: required('STRATALOG_VENDOR'),
    urnNamespace: required('STRATALOG_URN_NAMESPACE'),
    logLevel: required('STRATALOG_LOG_LEVEL') as Settings['logLevel'],
  };
  refuseOpenHost(settings, given.get('STRATALOG_INSECURE_HOST'));
  return settings;
}

/** Names in the environment that look like settings but are none: most likely misspelt. */
export function unknownSettings(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const known = new Set([
    ...SETTINGS.map(({ name }) => name),
    'STRATALOG_URL',
    'STRATALOG_CACHE_DIR',
    'STRATALOG_TEST_DATABASE_URL',
    'STRATALOG_TEST_KAFKA_BROKERS',
    'STRATALOG_TEST_ELASTICSEARCH_URL',
    'STRATALOG_TEST_ELASTICSEARCH_8_URL',
  ]);
  return Object.keys(environment).filter((name) => name.startsWith('STRATALOG_') && !known.has(name));
}

function valueOf(spec: SettingSpec, given: string | undefined): string | undefined {
  // An empty variable is how shells and compose files say "unset".
  if (given === undefined || given === '') return spec.fallback;
  const parsed = spec.schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refused(spec.name, spec.secret === true ? '(not shown)' : `"${given}"`, spec.allowed);
}

function refused(name: string, shown: string, allowed: string): InvalidSettingError {
  return new InvalidSettingError(`${name} is ${shown}; allowed: ${allowed}`);
}

/** Whoever can reach a host beyond this machine must show a token, unless the operator says by name that it is meant so. */
function refuseOpenHost({ host, auth }: Settings, insecureHost: string | undefined): void {
  const isLoopback = host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
  if (isLoopback || auth === 'all' || insecureHost === host) return;
  throw refused(
    'STRATALOG_AUTH',
    `"${auth}" with STRATALOG_HOST "${host}"`,
    `all, because that address is not loopback (or set STRATALOG_INSECURE_HOST=${host})`,
  );
}
