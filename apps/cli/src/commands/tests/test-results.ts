import { formatCsvLine, type JsonObject } from '@stratalog/model';
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
  readonly errors?: true;
  readonly type?: string;
  readonly count: number;
  readonly csv?: true;
  readonly json?: true;
}

const PAGE = 1_000;
const HEADINGS = ['urn', 'outcome', 'since', 'reason'];

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
  const outcome = readOutcome(options);
  return withCatalog(options, { terminal }, async (client) => {
    const listed = await listResults(client, urn, { ...options, outcome });
    terminal.stdout.write(formatListed(listed, options));
    const { failing, error } = listed.counts;
    return numberOf(failing) + numberOf(error) === 0 ? EXIT.ok : EXIT.rejected;
  });
}

/** `undefined`: every outcome. */
function readOutcome({ passing, failing, errors }: ResultsOptions): string | undefined {
  const chosen = [
    ...(passing === true ? ['passing'] : []),
    ...(failing === true ? ['failing'] : []),
    ...(errors === true ? ['error'] : []),
  ];
  if (chosen.length < 2) return chosen[0];
  throw new CommandFailure('--passing, --failing and --errors exclude one another', EXIT.usage);
}

async function listResults(
  client: CatalogClient,
  urn: string,
  { outcome, type, count }: ResultsOptions & { readonly outcome: string | undefined },
): Promise<Listed> {
  const query = {
    ...(outcome === undefined ? {} : { outcome }),
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
  const rows = results.map(({ urn, outcome, computedMillis, reason }) => [
    toText(urn),
    toText(outcome),
    formatTime(computedMillis),
    toText(reason),
  ]);
  if (csv === true) return [HEADINGS, ...rows].map(formatCsvLine).join('');
  const [passing, failing, errors] = [counts.passing, counts.failing, counts.error].map((each) =>
    String(numberOf(each)),
  );
  return `${textTable([HEADINGS, ...rows])}${passing ?? ''} passing, ${failing ?? ''} failing, ${errors ?? ''} errors\n`;
}
