import type {
  SoftDeletedBy,
  RunAspect,
  RunAspectsQuery,
  RunCounts,
  RunPage,
  RunQuery,
  RunStore,
  RunSummary,
} from '@stratalog/ports';
import type { Database, Statement } from '../database/database';
import { COUNT_OTHERS, COUNT_RUN, RUN_ASPECTS, RUNS } from './run-statements';

/** Maximum bytes of values in a page; the next read returns the rest. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024;

/** Reads runs through an index on the latest values that have a run. */
export class PostgresRunStore implements RunStore {
  constructor(private readonly database: Database) {}

  async runs({ start, limit, exceptSoftDeleted }: RunPage): Promise<readonly RunSummary[]> {
    const values = [...softDeletedParameters(exceptSoftDeleted), start, limit];
    const rows = await this.select<{ run_id: string; run_ms: number; aspects: number }>(RUNS, values);
    return rows.map(({ run_id, run_ms, aspects }) => ({ runId: run_id, lastMs: run_ms, aspects }));
  }

  async countRun(
    { runId, exceptSoftDeleted, unlessBelow }: RunQuery,
    keyAspects: readonly string[],
  ): Promise<RunCounts> {
    const values = [...softDeletedParameters(exceptSoftDeleted), runId, keyAspects, unlessBelow ?? null];
    const [row] = await this.select<CountsRow>(COUNT_RUN, values);
    if (row === undefined)
      return { aspects: 0, keys: 0, entities: 0, lastMs: 0, kept: { aspects: 0, keys: 0 } };
    const { last_ms: lastMs, kept_aspects, kept_keys, ...counts } = row;
    return { ...counts, lastMs, kept: { aspects: kept_aspects, keys: kept_keys } };
  }

  async listAspects(query: RunAspectsQuery): Promise<readonly RunAspect[]> {
    const { runId, exceptSoftDeleted, untilMs, names, after, start, limit, withValues = false } = query;
    const [listed, isOnly] =
      names === undefined ? [null, true] : 'only' in names ? [names.only, true] : [names.but, false];
    const rows = await this.select<AspectRow>(RUN_ASPECTS, [
      ...softDeletedParameters(exceptSoftDeleted),
      runId,
      after?.writtenMs ?? 0,
      untilMs ?? Number.MAX_SAFE_INTEGER,
      after?.urn ?? '',
      after?.aspectName ?? '',
      listed,
      isOnly,
      start ?? 0,
      limit,
      withValues,
      MAX_PAGE_BYTES,
      query.kept ?? null,
      query.unlessBelow ?? null,
    ]);
    return rows.map(toRunAspect);
  }

  async countWrittenByOthers(
    runId: string,
    urns: readonly string[],
    butNames: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await this.select<{ urn: string; others: number }>(COUNT_OTHERS, [runId, urns, butNames]);
    return new Map(rows.map(({ urn, others }) => [urn, others]));
  }

  private select<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.database.search(async (client) => (await client.query<Row>({ ...statement, values })).rows);
  }
}

interface CountsRow extends Omit<RunCounts, 'lastMs' | 'kept'> {
  readonly last_ms: number;
  readonly kept_aspects: number;
  readonly kept_keys: number;
}

interface AspectRow {
  readonly urn: string;
  readonly aspect: string;
  readonly version: number;
  readonly run_ms: number;
  readonly confirmed_by: string | null;
  readonly value: string | null;
}

function toRunAspect({ urn, aspect, version, run_ms, confirmed_by, value }: AspectRow): RunAspect {
  return {
    urn,
    aspectName: aspect,
    version,
    writtenMs: run_ms,
    ...(confirmed_by === null ? {} : { confirmedBy: confirmed_by }),
    ...(value === null ? {} : { value }),
  };
}

/**
 * Builds the parameters of `VISIBLE`. In canonical JSON a backslash escapes a quotation mark within a text, so the
 * pattern matches members only.
 */
function softDeletedParameters(exceptSoftDeleted: SoftDeletedBy | undefined): [string | null, string | null] {
  return exceptSoftDeleted === undefined
    ? [null, null]
    : [exceptSoftDeleted.aspectName, `[{,]"${exceptSoftDeleted.member}":true[,}]`];
}
