import type { Command } from 'commander';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import { jsonIn } from '../../connection/answer-json';
import { CallFailure, orFailure } from '../../connection/call-failure';
import { readIndexPosition } from '../../connection/read-index-position';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, connect, type ConnectionOptions } from '../../connection/connect';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import type { Terminal } from '../../terminal';
import { instanceTable } from '../../output/instance-table';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';

/** On a search's answer: the number of changes that the index was behind. */
const LAG = 'X-Stratalog-Lag';

interface StatusOptions extends ConnectionOptions {
  readonly json?: true;
}

/** Adds `status`. */
export function addStatusCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('status'))
    .description('say whether the catalog is ready, which version it is, and how far its index is')
    .option('--json', 'print the same as JSON, with what the catalog says of its health as it is')
    .action(async (options: StatusOptions) => {
      setExitCode(await statusCommand(options, terminal));
    });
}

/** Prints the catalog's report about itself; exit code 1 means that it is not ready. */
async function statusCommand(options: StatusOptions, terminal: Terminal): Promise<ExitCode> {
  const client = await connect(options, terminal);
  try {
    const { httpStatus, health } = await readHealth(client);
    const report: StatusReport = {
      server: client.address,
      version: await readVersion(client),
      httpStatus,
      health: withDetails(health, await readDetails(client)),
      lag: await readLag(client),
    };
    terminal.stdout.write(options.json === true ? `${prettyJson(toJson(report))}\n` : toText(report));
    return httpStatus === 200 ? EXIT.ok : EXIT.rejected;
  } finally {
    client.close();
  }
}

interface StatusReport {
  readonly server: string;
  readonly version: string | undefined;
  readonly httpStatus: number;
  readonly health: JsonObject;
  /** The number of changes that the index is behind; `token` when reading it requires a token. */
  readonly lag: number | 'token' | undefined;
}

/** Adds what operators see: why a stage does not run, and the processes. A proxy has no stages; the details are those of an app. */
function withDetails(health: JsonObject, details: JsonObject | undefined): JsonObject {
  const { stages, instances } = details ?? {};
  return {
    ...health,
    ...(health.stages !== undefined && stages !== undefined && { stages }),
    ...(instances !== undefined && { instances }),
  };
}

function toJson({ server, version, httpStatus, health, lag }: StatusReport): JsonObject {
  const ready = httpStatus === 200;
  return {
    server,
    version: version ?? null,
    ready,
    httpStatus,
    health,
    lag: typeof lag === 'number' ? lag : null,
  };
}

function toText({ server, version = 'unknown', httpStatus, health, lag }: StatusReport): string {
  const rows = [
    ['server', server],
    ['version', version],
    ['ready', httpStatus === 200 ? 'yes' : `no (HTTP status ${String(httpStatus)})`],
    ...toRows(withoutInstances(health)),
    ...(lag === undefined ? [] : [['index', lagText(lag)]]),
  ];
  return textTable(rows) + instanceTable(health);
}

function lagText(lag: number | 'token'): string {
  if (lag === 'token') return 'not known: searches need a token with the scope read';
  return lag === 0 ? 'up to date' : `${String(lag)} changes behind`;
}

/** Removes the instances, which have a table of their own. */
function withoutInstances(report: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(report).filter(([name]) => name !== 'instances'));
}

/** `undefined` when the catalog does not report it, for example because no index answers yet. */
async function readLag(client: CatalogClient): Promise<StatusReport['lag']> {
  const headers = await orFailure(readIndexPosition(client));
  if (headers instanceof CallFailure) return [401, 403].includes(headers.status) ? 'token' : undefined;
  const lag = headers.get(LAG) ?? '';
  return /^\d+$/.test(lag) ? Number(lag) : undefined;
}

/** Reads the health as it is, of any status: a catalog that is not ready says so with 503. */
async function readHealth(client: CatalogClient): Promise<Pick<StatusReport, 'httpStatus' | 'health'>> {
  const reply = await orFailure(client.call('GET /health'));
  const [httpStatus, answer] = reply instanceof CallFailure ? [reply.status, reply.rejection] : [200, reply];
  return { httpStatus, health: jsonIn(answer) ?? {} };
}

/** Reads reasons and processes; `undefined` without the token of an operator, because only operators see them. */
async function readDetails(client: CatalogClient): Promise<JsonObject | undefined> {
  if (!client.hasToken) return undefined;
  const reply = await orFailure(client.call('GET /operations/health'));
  return reply instanceof CallFailure ? undefined : jsonIn(reply);
}

/** Reads the catalog's version: `versions` has one program, under one or several names. A proxy has none. */
async function readVersion(client: CatalogClient): Promise<string | undefined> {
  const reply = await orFailure(client.call('GET /config'));
  const versions = reply instanceof CallFailure ? undefined : jsonIn(reply)?.versions;
  const [program] = isJsonObject(versions) ? Object.values(versions) : [];
  return isJsonObject(program) && typeof program.version === 'string' ? program.version : undefined;
}

/**
 * Makes a row for each value of the report, at any depth; elements of a list are labelled by their `name` or
 * `app`.
 */
function toRows(report: JsonObject, path: readonly string[] = []): string[][] {
  return Object.entries(report).flatMap(([name, value]) => toValueRows(value, [...path, name]));
}

function toValueRows(value: JsonValue, path: readonly string[]): string[][] {
  if (Array.isArray(value)) {
    return value.flatMap((item, place) => {
      if (!isJsonObject(item)) return toValueRows(item, [...path, String(place)]);
      const { app, name = app, ...rest } = item;
      return toRows(rest, [...path, typeof name === 'string' ? name : String(place)]);
    });
  }
  if (isJsonObject(value)) return toRows(value, path);
  return [[path.join('.'), String(value)]];
}
