import { writeFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { integerFrom } from '../../arguments';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { formatLineageDiff } from '../../output/lineage-diff';
import { describePurged, formatLineage, toLineagePage, type LineagePage } from '../../output/lineage-tree';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import { parseTime, parseTimeRange, type TimeRange } from '../../output/time';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface LineageOptions extends ConnectionOptions {
  readonly upstream?: boolean;
  readonly downstream?: boolean;
  readonly depth: number;
  readonly columns?: boolean;
  readonly deleted?: boolean;
  readonly count?: number;
  readonly json?: boolean;
  readonly svg?: string;
  /** Epoch milliseconds. */
  readonly asOf?: number;
  readonly diff?: TimeRange;
}

/** Entities of a tree. */
const COUNT = 1_000;

/** Adds `lineage`. */
export function addLineageCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('lineage'))
    .description('print what an entity or column is made from, or what is made from it, as a tree')
    .argument('<urn>', 'the entity or the column')
    .option('--upstream', 'what it is made from; so unless --downstream is given')
    .addOption(new Option('--downstream', 'what is made from it').conflicts('upstream'))
    .option('--depth <n>', 'hops', integerFrom(1, 1_000), 3)
    .option('--columns', 'the lineage of all columns of the entity')
    .option('--deleted', 'with soft-deleted entities')
    .option('--count <n>', `entities; ${String(COUNT)} unless given, in a picture 60`, integerFrom(1, 10_000))
    .addOption(new Option('--json', "print the catalog's answer as it is").conflicts('svg'))
    .option('--svg <file>', 'draw it into a file; in both directions unless one is given')
    .option('--as-of <time>', 'as it was then: ISO 8601, or epoch milliseconds', parseTime)
    .addOption(
      new Option('--diff <from[..to]>', 'what came and went since, or between two times')
        .argParser(parseTimeRange)
        .conflicts(['svg', 'asOf']),
    )
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} lineage 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)'
  ${PROGRAM} lineage 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)' --downstream --depth 10
  ${PROGRAM} lineage 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)' --columns
  ${PROGRAM} lineage 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)' --svg orders.svg
  ${PROGRAM} lineage 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)' --diff 2026-11-01..2026-11-08
`,
    )
    .action(async (urn: string, options: LineageOptions) => {
      const { svg, diff } = options;
      if (diff !== undefined) setExitCode(await diffCommand(urn, diff, options, terminal));
      else if (svg !== undefined) setExitCode(await drawCommand(urn, svg, options, terminal));
      else setExitCode(await lineageCommand(urn, options, terminal));
    });
}

/** Prints lineage; exit code 1 means none. */
async function lineageCommand(urn: string, options: LineageOptions, terminal: Terminal): Promise<ExitCode> {
  const { downstream, depth, columns, deleted, count = COUNT, json, asOf } = options;
  const direction = downstream === true ? 'DOWNSTREAM' : 'UPSTREAM';
  const { answer } = await withCatalog(options, { terminal }, (client) =>
    client.call('POST /relationships?action=getLineage', {
      urn,
      direction,
      maxHops: depth,
      count,
      ...(columns === true ? { level: 'COLUMN' } : {}),
      includeSoftDeleted: deleted,
      asOf,
    }),
  );
  const page = toLineagePage(answer);
  if (json === true) terminal.stdout.write(`${prettyJson({ value: answer })}\n`);
  else if (page.total > 0) terminal.stdout.write(formatLineage(page, terminal.columns));
  terminal.stderr.write(describeGaps(page));
  if (page.total > 0) return EXIT.ok;
  terminal.stderr.write(`${printable(urn)} has no ${direction.toLowerCase()} lineage\n`);
  return EXIT.rejected;
}

/** Writes a picture of lineage into a file. */
async function drawCommand(
  urn: string,
  file: string,
  { upstream, downstream, depth, columns, deleted, count, asOf, ...options }: LineageOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const direction = downstream === true ? 'DOWNSTREAM' : upstream === true ? 'UPSTREAM' : undefined;
  const svg = await withCatalog(options, { terminal }, async (client) => {
    const picture = await client.text('GET /lineage/:urn', {
      urn: `${urn}.svg`,
      maxHops: depth,
      maxNodes: count,
      direction,
      columns,
      includeSoftDeleted: deleted,
      asOf,
    });
    // Links are relative to the picture's address, which a file does not have.
    return picture.replaceAll('<a href="../', `<a href="${client.address}/`);
  });
  try {
    await writeFile(file, svg);
  } catch (error) {
    throw new CommandFailure(`cannot write ${file}: ${(error as Error).message}`, EXIT.usage);
  }
  terminal.stderr.write(`wrote ${printable(file)}\n`);
  return EXIT.ok;
}

/** Prints what came and went. */
async function diffCommand(
  urn: string,
  { fromMs, toMs }: TimeRange,
  { upstream, downstream, depth, columns, deleted, count, json, ...options }: LineageOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const direction = downstream === true ? 'DOWNSTREAM' : upstream === true ? 'UPSTREAM' : undefined;
  const { answer } = await withCatalog(options, { terminal }, (client) =>
    client.call('GET /lineage/:urn/diff', {
      urn,
      from: fromMs,
      to: toMs,
      maxHops: depth,
      count: Math.min(count ?? COUNT, COUNT),
      direction,
      columns,
      includeSoftDeleted: deleted,
    }),
  );
  const text = formatLineageDiff(answer);
  terminal.stdout.write(json === true ? `${prettyJson(answer)}\n` : text);
  terminal.stderr.write(describePurged(answer));
  if (answer.partial === true) terminal.stderr.write('limits cut the lineage; there may be more changes\n');
  if (text === '') terminal.stderr.write(`${printable(urn)} has the same lineage at both times\n`);
  return EXIT.ok;
}

/** Describes what the answer lacks, a line each. */
function describeGaps({ filtered, continueAt, purged }: LineagePage): string {
  const [first] = continueAt;
  return [
    purged,
    ...(filtered === 0
      ? []
      : [
          `${String(filtered)} left out as soft-deleted, or only reached through such; --deleted shows them\n`,
        ]),
    ...(first === undefined
      ? []
      : [
          `limits cut the lineage; continue at ${printable(first)}${continueAt.length > 1 ? ' and others' : ''}\n`,
        ]),
  ].join('');
}
