import type { JsonObject } from '@stratalog/model';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import type { CatalogClient } from '../../connection/catalog-client';
import type { ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { CommandFailure, EXIT, type ExitCode } from '../../exit-code';
import { numberOf, objectOf, toList, toText } from '../../output/json-parts';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';
import { formatTime } from '../../output/time';
import type { Terminal } from '../../terminal';

export interface ResultsOptions extends ConnectionOptions {
  readonly passing?: true;
  readonly failing?: true;
  readonly type?: string;
  readonly count: number;
  readonly csv?: true;
  readonly json?: true;
}

const PAGE = 1_000;
const HEADINGS = ['urn', 'outcome', 'since'];

/** The results of a test, from all pages that were read. */
interface Listed {
  readonly counts: JsonObject;
  readonly results: readonly JsonObject[];
}

export function testResultsCommand(
  urn: string,
  options: ResultsOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.passing === true && options.failing === true) {
    throw new CommandFailure('--passing and --failing exclude each other', EXIT.usage);
  }
  return withCatalog(options, { terminal }, async (client) => {
    const listed = await listResults(client, urn, options);
    terminal.stdout.write(formatListed(listed, options));
    return numberOf(listed.counts.failing) === 0 ? EXIT.ok : EXIT.rejected;
  });
}

async function listResults(
  client: CatalogClient,
  urn: string,
  { passing, failing, type, count }: ResultsOptions,
): Promise<Listed> {
  const query = {
    ...(passing === true ? { outcome: 'passing' } : {}),
    ...(failing === true ? { outcome: 'failing' } : {}),
    ...(type === undefined ? {} : { entityType: type }),
  };
  const results: JsonObject[] = [];
  for (let after = ''; ;) {
    const page = {
      count: String(Math.min(PAGE, count - results.length)),
      ...(after === '' ? {} : { after }),
    };
    const answer = accepted(await client.testResults(urn, { ...query, ...page }), client.address);
    const body = objectIn(answer, client.address);
    results.push(...toList(body.results).map(objectOf));
    after = toText(body.next);
    if (after === '' || results.length >= count) return { counts: objectOf(body.counts), results };
  }
}

function formatListed({ counts, results }: Listed, { csv, json }: ResultsOptions): string {
  if (json === true) return `${prettyJson({ counts, results: [...results] })}\n`;
  const rows = results.map(({ urn, outcome, computedMillis }) => [
    toText(urn),
    toText(outcome),
    formatTime(computedMillis),
  ]);
  if (csv === true) return [HEADINGS, ...rows].map((row) => `${row.map(quote).join(',')}\r\n`).join('');
  const [passing, failing] = [numberOf(counts.passing), numberOf(counts.failing)];
  return `${textTable([HEADINGS, ...rows])}${String(passing)} passing, ${String(failing)} failing\n`;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
