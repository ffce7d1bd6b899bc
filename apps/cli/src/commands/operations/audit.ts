import { Option, type Command } from 'commander';
import type { AnswerOf, ParametersOf } from '@stratalog/client';
import { stringifyJson } from '@stratalog/json';
import { integerFrom } from '../../arguments';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { textTable } from '../../output/text-table';
import { formatTime, parseTimeRange, type TimeRange } from '../../output/time';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

type Query = NonNullable<ParametersOf<typeof AUDIT>>;
type AuditRecord = AnswerOf<typeof AUDIT>['records'][number];

interface AuditOptions extends ConnectionOptions {
  readonly actor?: string;
  readonly call?: string;
  readonly address?: string;
  readonly outcome?: AuditRecord['outcome'];
  readonly time?: TimeRange;
  readonly count?: number;
  readonly json?: true;
}

const AUDIT = 'GET /operations/audit';
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
    const records: AuditRecord[] = [];
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
): AsyncGenerator<readonly AuditRecord[]> {
  const query = toQuery(options);
  let before: Pick<Query, 'before'> = {};
  for (let left = limit; left > 0;) {
    const count = Math.min(PAGE, left);
    const { records } = (await client.call(AUDIT, { ...query, ...before, count })).answer;
    if (records.length > 0) yield records;
    if (records.length < count) return;
    left -= count;
    before = { before: records.at(-1)?.id };
  }
}

function toQuery({ actor, call, address, outcome, time }: AuditOptions): Query {
  return { actor, call, address, outcome, from: time?.fromMs, to: time?.toMs };
}

/** Makes a row of each call; neighbours that differ in nothing but their time share one, which counts them. */
function toRows(records: readonly AuditRecord[]): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let repeats = 0;
  records.forEach((record, at) => {
    const next = records[at + 1];
    repeats += 1 + (record.omitted ?? 0);
    if (next !== undefined && isRepeat(record, next)) return;
    rows.push(toRow(record, repeats));
    repeats = 0;
  });
  return rows;
}

const COMPARED = ['outcome', 'status', 'address', 'actor', 'call'] as const;

function isRepeat(one: AuditRecord, other: AuditRecord): boolean {
  return COMPARED.every((name) => one[name] === other[name]);
}

/** The row of the earliest of some calls. */
function toRow(
  { id, timeMillis, outcome, status, address = '', actor, call }: AuditRecord,
  times: number,
): string[] {
  return [
    String(id),
    formatTime(timeMillis),
    `${outcome} ${String(status)}`,
    address,
    actor,
    `${call}${times === 1 ? '' : ` (${String(times)} times)`}`,
  ];
}
