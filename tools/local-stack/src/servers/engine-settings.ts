/** Settings of both engines, wherever they run. */
export const ENGINE_SETTINGS = {
  'discovery.type': 'single-node',
  // A disk that is nearly full would make every index read-only.
  'cluster.routing.allocation.disk.threshold_enabled': false,
  'action.auto_create_index': false,
} as const;

/** Yaml of flat names. */
export function engineYaml(others: Readonly<Record<string, string | number | boolean>> = {}): string {
  const settings = { 'network.host': '127.0.0.1', 'transport.port': 0, ...ENGINE_SETTINGS, ...others };
  return Object.entries(settings)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('');
}

/** The server's messages go to its standard output, in this form. */
export const ENGINE_LOG4J = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1}] %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
`;

/** The address of the transport is published first, then that of HTTP; its port is the first group. */
export const ENGINE_READY = /HttpServerTransport\]\s+publish_address \{[^}]*:(\d+)\}[\s\S]*\] started/;
