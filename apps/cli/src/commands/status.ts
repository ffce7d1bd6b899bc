import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import { jsonIn } from '../answer-json';
import { connect, type ConnectionOptions } from '../connection';
import { EXIT, type ExitCode } from '../exit-code';
import type { Terminal } from '../terminal';
import { textTable } from '../text-table';

/** Prints what the catalog says about itself; exit code 1 says that it is not ready. */
export async function statusCommand(options: ConnectionOptions, terminal: Terminal): Promise<ExitCode> {
  const client = await connect(options, terminal);
  try {
    const health = await client.health();
    const config = await client.config();
    const report = jsonIn(health) ?? {};
    const ready = health.status === 200 && report.ready !== false;
    const details = Object.fromEntries(Object.entries(report).filter(([name]) => name !== 'ready'));
    const rows = [
      ['server', client.address],
      ['version', versionIn(jsonIn(config)) ?? 'unknown'],
      ['ready', ready ? 'yes' : `no (HTTP status ${String(health.status)})`],
      ...rowsOf(details),
    ];
    terminal.stdout.write(textTable(rows));
    return ready ? EXIT.ok : EXIT.refused;
  } finally {
    client.close();
  }
}

/** `versions` names one program; whichever it is, its version is the catalog's. */
function versionIn(config: JsonObject | undefined): string | undefined {
  const versions = config?.versions;
  for (const program of isJsonObject(versions) ? Object.values(versions) : []) {
    const version = isJsonObject(program) ? program.version : undefined;
    if (typeof version === 'string') return version;
  }
  return undefined;
}

/** One row for each value, named by its path, so that whatever the stages report can be seen. */
function rowsOf(details: JsonObject, path: readonly string[] = []): string[][] {
  return Object.entries(details).flatMap(([name, value]: [string, JsonValue]) => {
    const here = [...path, name];
    if (isJsonObject(value)) return rowsOf(value, here);
    return [[here.join('.'), typeof value === 'string' ? value : valueText(value)]];
  });
}

function valueText(value: Exclude<JsonValue, JsonObject | string>): string {
  return Array.isArray(value) ? value.map((item) => JSON.stringify(item)).join(' ') : String(value);
}
