import type { AnswerOf, ParametersOf } from '@stratalog/client';
import { formatCsvLine } from '@stratalog/domain';
import type { CatalogClient } from '../../connection/catalog-client';
import type { ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { CommandFailure, EXIT, type ExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';
import { formatTime } from '../../output/time';
import type { Terminal } from '../../terminal';

export interface ResultsOptions extends ConnectionOptions {
  readonly passing?: true;
  readonly failing?: true;
  readonly errors?: true;
  readonly type?: string;
  readonly count: number;
  readonly csv?: true;
  readonly json?: true;
}

const PAGE = 1_000;
const HEADINGS = ['urn', 'outcome', 'since', 'reason'];

type Outcome = ParametersOf<'GET /tests/:urn/results'>['outcome'];
/** The results of a test, from all pages that were read. */
type Listed = Pick<AnswerOf<'GET /tests/:urn/results'>, 'counts' | 'results'>;

export function testResultsCommand(
  urn: string,
  options: ResultsOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const outcome = readOutcome(options);
  return withCatalog(options, { terminal }, async (client) => {
    const listed = await listResults(client, urn, { ...options, outcome });
    terminal.stdout.write(formatListed(listed, options));
    const { failing, error } = listed.counts;
    return failing + error === 0 ? EXIT.ok : EXIT.rejected;
  });
}

/** `undefined`: every outcome. */
function readOutcome({ passing, failing, errors }: ResultsOptions): Outcome {
  const chosen = [
    ...(passing === true ? (['passing'] as const) : []),
    ...(failing === true ? (['failing'] as const) : []),
    ...(errors === true ? (['error'] as const) : []),
  ];
  if (chosen.length < 2) return chosen[0];
  throw new CommandFailure('--passing, --failing and --errors exclude one another', EXIT.usage);
}

async function listResults(
  client: CatalogClient,
  urn: string,
  { outcome, type, count }: ResultsOptions & { readonly outcome: Outcome },
): Promise<Listed> {
  const query = { urn, outcome, entityType: type };
  const results: Listed['results'] = [];
  for (let after: string | undefined; ;) {
    const page = { count: Math.min(PAGE, count - results.length), after };
    const { answer } = await client.call('GET /tests/:urn/results', { ...query, ...page });
    results.push(...answer.results);
    after = answer.next;
    if (after === undefined || results.length >= count) return { counts: answer.counts, results };
  }
}

function formatListed({ counts, results }: Listed, { csv, json }: ResultsOptions): string {
  if (json === true) return `${prettyJson({ counts, results: [...results] })}\n`;
  const rows = results.map(({ urn, outcome, computedMillis, reason = '' }) => [
    urn,
    outcome,
    formatTime(computedMillis),
    reason,
  ]);
  if (csv === true) return [HEADINGS, ...rows].map(formatCsvLine).join('');
  const { passing, failing, error } = counts;
  return `${textTable([HEADINGS, ...rows])}${String(passing)} passing, ${String(failing)} failing, ${String(error)} errors\n`;
}
