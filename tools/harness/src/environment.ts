/** Settings of a catalog and its servers, and what npm and Node add to the environment of a script. */
const FOREIGN =
  /^(STRATALOG_|DATABASE_|KAFKA_|ELASTICSEARCH_|INIT_CWD$|NODE_OPTIONS$|npm_(lifecycle|package|command|execpath|config_local_prefix))/;

/** Returns the environment without settings that would make a program another catalog. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));
}
