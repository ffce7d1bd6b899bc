/**
 * Settings of the embedded server. All go on the command line: the cluster stores none and cannot override them, and a
 * server that was left behind shows its settings.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '40',
  password_encryption: 'scram-sha-256',

  // An acknowledged write survives the kill of any process, and the loss of power.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Nothing replicates from the embedded server.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // The size of the log decides when a checkpoint is due (`chooseLogLimit`).
  checkpoint_timeout: '15min',
  // On a small disk they are frequent on purpose.
  checkpoint_warning: '0',

  shared_buffers: '128MB',
  // The working set is in memory and there are few cores: handing reads to worker processes costs more than it saves.
  io_method: 'sync',
  // Statements are short; compiling them takes longer than running them.
  jit: 'off',
  autovacuum: 'on',
  // Ends the query of a killed client soon, and releases its locks.
  client_connection_check_interval: '2s',

  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
};

/** Builds the arguments of `postgres`, port last. A running server is taken over only if they are equal. */
export function serverArguments(
  clusterPath: string,
  port: number,
  overrides: Readonly<Record<string, string>>,
): readonly string[] {
  const settings = Object.entries({ ...SETTINGS, ...overrides });
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', clusterPath, ...options, '-p', String(port)];
}

/**
 * Builds an environment without variables of this process: `PGDATA`, `PGPORT`, a locale or a preloaded library would
 * change the server.
 */
export function serverEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
