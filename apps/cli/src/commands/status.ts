import type { Command } from 'commander';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import { jsonIn } from '../connection/answer-json';
import type { CatalogClient } from '../connection/catalog-client';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect';
import { EXIT, type ExitCode, type Settle } from '../exit-code';
import type { Terminal } from '../terminal';
import { instanceTable } from '../output/instance-table';
import { textTable } from '../output/text-table';

/** On a search's answer: how many changes the index was behind. */
const LAG = 'x-stratalog-lag';

/** Adds `status`. */
export function addStatusCommand(program: Command, terminal: Terminal, settle: Settle): void {
  addConnectionOptions(program.command('status'))
    .description('say whether the catalog is ready, which version it is, and how far its index is')
    .action(async (options: ConnectionOptions) => {
      settle(await statusCommand(options, terminal));
    });
}

/** Prints what the catalog says about itself; exit code 1 says that it is not ready. */
async function statusCommand(options: ConnectionOptions, terminal: Terminal): Promise<ExitCode> {
  const client = await connect(options, terminal);
  try {
    const health = await client.health();
    const ready = health.status === 200;
    const report = jsonIn(health);
    const config = jsonIn(await client.config());
    terminal.stdout.write(
      textTable([
        ['server', client.address],
        ['version', versionIn(config) ?? 'unknown'],
        ['ready', ready ? 'yes' : `no (HTTP status ${String(health.status)})`],
        ...rowsOf(withoutInstances(report ?? {})),
        ...(await lagRows(client)),
      ]) + instanceTable(report),
    );
    return ready ? EXIT.ok : EXIT.refused;
  } finally {
    client.close();
  }
}

/** They have a table of their own. */
function withoutInstances(report: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(report).filter(([name]) => name !== 'instances'));
}

/** Empty when the catalog does not say it, for example because no index answers yet. */
async function lagRows(client: CatalogClient): Promise<string[][]> {
  const { headers, status } = await client.search({ entity: 'dataset', input: 'status', start: 0, count: 0 });
  if (status === 401) return [['index', 'not known: searches need a token, and this one is none or wrong']];
  const lag = headers[LAG];
  if (typeof lag !== 'string') return [];
  return [['index', lag === '0' ? 'up to date' : `${lag} changes behind`]];
}

/** `versions` names one program, by one name or several; its version is the catalog's. */
function versionIn(config: JsonObject | undefined): string | undefined {
  const versions = config?.versions;
  for (const program of isJsonObject(versions) ? Object.values(versions) : []) {
    const version = isJsonObject(program) ? program.version : undefined;
    if (typeof version === 'string') return version;
  }
  return undefined;
}

/** A row for each value of the report, whatever it holds; things in a list go by their `name`, or the `app` that they are. */
function rowsOf(report: JsonObject, path: readonly string[] = []): string[][] {
  return Object.entries(report).flatMap(([name, value]) => rowsOfValue(value, [...path, name]));
}

function rowsOfValue(value: JsonValue, path: readonly string[]): string[][] {
  if (Array.isArray(value)) {
    return value.flatMap((item, place) => {
      if (!isJsonObject(item)) return rowsOfValue(item, [...path, String(place)]);
      const { app, name = app, ...rest } = item;
      return rowsOf(rest, [...path, typeof name === 'string' ? name : String(place)]);
    });
  }
  if (isJsonObject(value)) return rowsOf(value, path);
  return [[path.join('.'), String(value)]];
}
