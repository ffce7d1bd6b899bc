import { partitionOf } from '@stratalog/domain';
import type { Database } from '@stratalog/adapters-postgres';
import { makeAspects } from '../workload/make-aspects';
import type { PlannedWrite } from '../workload/write-workload';

/** The connection of a `Database`. */
type Client = Parameters<Parameters<Database['use']>[0]>[0];

interface Row {
  readonly urn: string;
  readonly aspect: string;
  readonly version: number;
  readonly value: string;
}

const ACTOR = 'urn:li:corpuser:bench';
const SYSTEM_METADATA = '{"lastObserved":1700000000000,"runId":"bench"}';

const COUNT = {
  name: 'bare-count',
  text: `update store_partition p set seq = p.seq + r.n, stamp_ms = $3::bigint
           from unnest($1::integer[], $2::bigint[]) r(partition, n)
          where p.partition = r.partition returning p.partition, p.seq`,
};

const WRITE = {
  name: 'bare-write',
  text: `with input as materialized (
           select * from unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[],
                                $8::bigint[], $9::text[])
             i(partition, seq, urn, aspect, version, value, system_metadata, created_ms, actor)
         ), appended as (
           insert into change (partition, seq, urn, aspect, version, value, system_metadata, created_ms, actor)
           select * from input
         ), entities as (
           insert into entity (urn, seq) select urn, max(seq) from input group by urn
           on conflict (urn) do update set seq = excluded.seq
         )
         insert into aspect_latest (urn, aspect, version, value, system_metadata, observed, created_ms, actor)
         select urn, aspect, version, value, system_metadata, '{}', created_ms, actor from input
         on conflict (urn, aspect) do update set
           version = excluded.version, value = excluded.value, system_metadata = excluded.system_metadata,
           observed = excluded.observed, created_ms = excluded.created_ms, actor = excluded.actor`,
};

const MOVE = {
  name: 'bare-move',
  text: `update log_partition l set end_offset = l.end_offset + r.n, committed_offset = l.committed_offset + r.n
           from unnest($1::integer[], $2::bigint[]) r(partition, n) where l.partition = r.partition`,
};

/** The aspects of a planned write that a client sends: its properties alone, or all four. */
export type WrittenAspects = 'properties' | 'all';

/**
 * Makes the rows of a write: its changes, and before the first ones of an entity also its default aspects, as
 * the writer makes them.
 */
export function toRows(write: PlannedWrite, aspects: WrittenAspects): readonly Row[] {
  const { urn, version } = write;
  const sent =
    aspects === 'all' ? makeAspects(write) : [{ aspectName: 'datasetProperties', value: write.value }];
  const written = sent.map(({ aspectName, value }) => ({ urn, aspect: aspectName, version, value }));
  if (version > 1) return written;
  const name = urn.slice(urn.indexOf(',') + 1, -',PROD)'.length);
  const key = `{"name":"${name}","origin":"PROD","platform":"urn:li:dataPlatform:hive"}`;
  const folder = name.slice(0, name.indexOf('.'));
  const beginning = {
    datasetKey: key,
    dataPlatformInstance: '{"platform":"urn:li:dataPlatform:hive"}',
    browsePaths: `{"paths":["/prod/hive/${folder}"]}`,
    browsePathsV2: `{"path":[{"id":"${folder}"}]}`,
  };
  const rows = Object.entries(beginning).map(([aspect, first]) => ({
    urn,
    aspect,
    version: 1,
    value: first,
  }));
  return [...rows, ...written];
}

/**
 * Runs one transaction with the effect of a versioned write: change rows, latest values, the urns' last
 * numbers, the counters and the log's offsets. It knows the versions already, reads nothing, checks nothing
 * and answers no client. Independent statements go to the server together.
 */
export async function writeBare(client: Client, rows: readonly Row[], partitions: number): Promise<void> {
  const homes = rows.map(({ urn }) => partitionOf(urn, partitions));
  const counts = new Map<number, number>();
  for (const home of homes) counts.set(home, (counts.get(home) ?? 0) + 1);
  const nowMs = Date.now();
  const counted = [[...counts.keys()], [...counts.values()]];
  const [, counters] = await Promise.all([
    client.query('begin'),
    client.query<{ partition: number; seq: number }>({ ...COUNT, values: [...counted, nowMs] }),
  ]);
  const next = new Map(
    counters.rows.map(({ partition, seq }) => [partition, seq - (counts.get(partition) ?? 0)]),
  );
  const seqs = homes.map((home) => {
    const seq = (next.get(home) ?? 0) + 1;
    next.set(home, seq);
    return seq;
  });
  await Promise.all([
    client.query({
      ...WRITE,
      values: [
        homes,
        seqs,
        rows.map(({ urn }) => urn),
        rows.map(({ aspect }) => aspect),
        rows.map(({ version }) => version),
        rows.map(({ value }) => value),
        rows.map(() => SYSTEM_METADATA),
        rows.map(() => nowMs),
        rows.map(() => ACTOR),
      ],
    }),
    client.query({ ...MOVE, values: counted }),
    client.query('commit'),
  ]);
}
