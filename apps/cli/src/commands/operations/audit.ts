import { Option, type Command } from 'commander';
import { stringifyJson, type JsonObject } from '@stratalog/model';
import { integerFrom } from '../../arguments';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { numberOf, objectOf, toList, toText } from '../../output/json-parts';
import { textTable } from '../../output/text-table';
import { formatTime, parseTimeRange, type TimeRange } from '../../output/time';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface AuditOptions extends ConnectionOptions {
  readonly actor?: string;
  readonly call?: string;
  readonly address?: string;
  readonly outcome?: string;
  readonly time?: TimeRange;
  readonly count?: number;
  readonly json?: true;
}

const HEADINGS = ['id', 'time', 'outcome', 'from', 'actor', 'call'];
const DEFAULT_COUNT = 20;
const PAGE = 1_000;

/** Adds `audit`. */
export function addAuditCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('audit'))
    .description('list the recorded calls: those of operators and rejected ones, the newest first')
    .option('--actor <urn>', 'only those of this user')
    .option('--call <call>', 'only these calls, like "POST /operations rebuildIndices"')
    .option('--address <address>', 'only those from this address')
    .addOption(
      new Option('--outcome <outcome>', 'only those that ended so').choices(['done', 'rejected', 'failed']),
    )
    .option('--time <range>', 'only those of a time: FROM or FROM..TO', parseTimeRange)
    .option('--count <n>', 'list at most so many; with --json all unless given', integerFrom(1, 10_000_000))
    .option('--json', 'print one JSON object a line')
    .addHelpText(
      'after',
      `
Needs a token with the scope admin, such as the operator's ("${PROGRAM} token").

Examples:
  ${PROGRAM} audit --time 2026-11-22 --outcome rejected
  ${PROGRAM} audit --call "POST /runs rollback" --json
`,
    )
    .action(async (options: AuditOptions) => {
      setExitCode(await auditCommand(options, terminal));
    });
}

function auditCommand(options: AuditOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    if (options.json === true) {
      for await (const records of readPages(client, options, options.count ?? Infinity)) {
        terminal.stdout.write(records.map((record) => `${stringifyJson(record)}\n`).join(''));
      }
      return EXIT.ok;
    }
    const records: JsonObject[] = [];
    for await (const page of readPages(client, options, options.count ?? DEFAULT_COUNT))
      records.push(...page);
    terminal.stdout.write(textTable([HEADINGS, ...toRows(records)], terminal.columns));
    return EXIT.ok;
  });
}

/** Reads so many records, the newest first, page by page. */
async function* readPages(
  client: CatalogClient,
  options: AuditOptions,
  limit: number,
): AsyncGenerator<readonly JsonObject[]> {
  const query = toQuery(options);
  let before: Record<string, string> = {};
  for (let left = limit; left > 0;) {
    const count = Math.min(PAGE, left);
    const answer = await client.audit({ ...query, ...before, count: String(count) });
    const records = toList(objectIn(accepted(answer, client.address), client.address).records).map(objectOf);
    if (records.length > 0) yield records;
    if (records.length < count) return;
    left -= count;
    before = { before: String(numberOf(records.at(-1)?.id ?? null)) };
  }
}

function toQuery({ actor, call, address, outcome, time }: AuditOptions): Readonly<Record<string, string>> {
  const { fromMs, toMs } = time ?? {};
  const given = { actor, call, address, outcome, from: fromMs, to: toMs };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** Makes a row of each call; neighbours that differ in nothing but their time share one, which counts them. */
function toRows(records: readonly JsonObject[]): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let repeats = 0;
  records.forEach((record, at) => {
    const next = records[at + 1];
    repeats += 1 + numberOf(record.omitted);
    if (next !== undefined && isRepeat(record, next)) return;
    rows.push(toRow(record, repeats));
    repeats = 0;
  });
  return rows;
}

const COMPARED = ['outcome', 'status', 'address', 'actor', 'call'];

function isRepeat(one: JsonObject, other: JsonObject): boolean {
  return COMPARED.every((name) => one[name] === other[name]);
}

/** The row of the earliest of some calls. */
function toRow(
  { id, timeMillis, outcome, status, address, actor, call }: JsonObject,
  times: number,
): string[] {
  return [
    String(numberOf(id)),
    formatTime(timeMillis),
    `${toText(outcome)} ${String(numberOf(status))}`,
    toText(address),
    toText(actor),
    `${toText(call)}${times === 1 ? '' : ` (${String(times)} times)`}`,
  ];
}
