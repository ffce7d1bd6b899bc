import { parseArgs } from 'node:util';
import { SHAPES, type Shape } from './load/shaped-writes';

const BENCHES = ['ingest', 'read', 'search', 'pipeline', 'timeseries', 'validate', 'first-answer'] as const;
/** Benches that measure either profile. */
const BY_PROFILE: ReadonlySet<Bench> = new Set(['ingest', 'search']);
type Bench = (typeof BENCHES)[number];

export type Arguments =
  | {
      readonly kind: 'bench';
      readonly bench: Bench;
      readonly quick: boolean;
      readonly distributed: boolean;
      /** For ingest: the ways of writing to measure; none selects the whole bench. */
      readonly shapes: readonly Shape[];
      readonly profileFolder?: string;
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'usage'; readonly fault: string };

export function parseArguments(args: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean' },
        distributed: { type: 'boolean' },
        plain: { type: 'boolean' },
        batch: { type: 'boolean' },
        snapshot: { type: 'boolean' },
        patch: { type: 'boolean' },
        conditional: { type: 'boolean' },
        profile: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return { kind: 'help' };
    const bench = BENCHES.find((name) => name === positionals[0]);
    if (bench === undefined || positionals.length !== 1) {
      return { kind: 'usage', fault: `Name one of ${BENCHES.join(', ')}` };
    }
    const { profile, distributed = false } = values;
    if (distributed && !BY_PROFILE.has(bench)) {
      return { kind: 'usage', fault: `--distributed is for ${[...BY_PROFILE].join(' and ')}` };
    }
    const shapes = SHAPES.filter((shape) => values[shape] === true);
    if (shapes.length > 0 && (bench !== 'ingest' || distributed)) {
      return { kind: 'usage', fault: `--${shapes[0] ?? ''} is for ingest into the embedded catalog` };
    }
    if (profile !== undefined && (distributed || bench === 'pipeline')) {
      return { kind: 'usage', fault: '--profile is for the embedded catalog' };
    }
    return {
      kind: 'bench',
      bench,
      quick: values.quick ?? false,
      distributed,
      shapes,
      ...(profile === undefined ? {} : { profileFolder: profile }),
    };
  } catch (error) {
    return { kind: 'usage', fault: error instanceof Error ? error.message : String(error) };
  }
}

export const HELP = `Usage: npm run bench -- <name> [options]

  ingest         writes over HTTP beside bare SQL, write to searchable, single reads, memory
  read           entities of ten aspects, versions in histories of 1,000, ranges of them, entities as they were
  search         100,000 datasets: loading, building the index, queries by number of matches
  pipeline       distributed: proposals on Kafka until committed, until searchable, with 1, 2 and 3 writers
  timeseries     1,000,000 timeseries values of one table over five years: writing, the latest, ranges, deleting
  validate       reading the model, checking values against it, on one core
  first-answer   from \`git clone\` to the first search answer

  --plain, --batch, --snapshot, --patch, --conditional
                 ingest: only these ways to write, each beside bare SQL: single proposals, batches of 200 proposals, 50 legacy snapshots a request,
                 patches, proposals on the condition of a version
  --quick        small and short: shows that everything runs, its figures mean nothing
  --distributed  ingest and search: of the distributed catalog with its servers on this machine instead of the embedded one
  --profile DIR  also write CPU profiles of the catalog process there, one for each case
  -h, --help     print this

One JSON line for each measurement on standard output; progress and a table of goals on standard error.
See docs/benchmarks.md.
`;
