/**
 * Returns the environment without settings that would make it another catalog, such as the servers of other
 * tests.
 */
export function foreignEnvironment(): NodeJS.ProcessEnv {
  const own = /^(STRATALOG_|DATABASE_|KAFKA_|ELASTICSEARCH_|NODE_OPTIONS$|npm_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
