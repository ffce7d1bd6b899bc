import type { Database } from '@stratalog/adapters-postgres';
import { Violation } from '../ledger/violation';

/** A query that returns the rows that break a rule. */
export interface Rule {
  readonly check: string;
  readonly broken: string;
  readonly text: string;
}

/** Constraints between the store's tables, and between redundant columns. */
export const STORE_RULES: readonly Rule[] = [
  {
    check: 'latest',
    broken: 'the latest value of an aspect is not its last version',
    text: `select urn, aspect, l.version as latest, c.version as last
             from aspect_latest l
             full join (select * from (select distinct on (urn, aspect) * from change where kind <> 'timeseries' order by urn, aspect, version desc) last
                         where kind <> 'delete') c
                  using (urn, aspect)
            where (l.version, l.value, l.system_metadata, l.created_ms, l.actor)
                  is distinct from (c.version, c.value, c.system_metadata, c.created_ms, c.actor)
            limit 5`,
  },
  {
    check: 'runs',
    broken: 'the run that wrote the latest value of an aspect is not the one that its system metadata names',
    text: `select urn, aspect, run_id, run_ms, system_metadata, created_ms
             from (select *, nullif(system_metadata::json ->> 'runId', 'no-run-id-provided') as named from aspect_latest) l
            where (run_id, run_ms) is distinct from (named, case when named is not null then created_ms end)
            limit 5`,
  },
  {
    check: 'entities',
    broken: 'the seq of an entity is not that of its last change',
    text: `select urn, e.seq, c.seq as last
             from entity e full join (select urn, max(seq) as seq from change where kind <> 'timeseries' group by urn) c using (urn)
            where e.seq is distinct from c.seq limit 5`,
  },
  {
    check: 'rejected',
    broken: 'a valid proposal became a dead letter',
    text: 'select partition, log_offset, reason from dead_letter limit 5',
  },
];

/** Constraints of the embedded log when it is applied. */
const LOG_RULES: readonly Rule[] = [
  {
    check: 'log',
    broken: 'a proposal is logged and not applied',
    text: 'select partition, log_offset, left(proposal, 200) as proposal from proposal_log limit 5',
  },
  {
    check: 'log',
    broken: 'a log partition is not applied up to its end offset',
    text: 'select partition, end_offset, committed_offset from log_partition where end_offset <> committed_offset limit 5',
  },
];

/** **Errors**: `Violation` with some of the rows that break a rule. */
export async function checkRules(database: Database, rules: readonly Rule[]): Promise<void> {
  for (const { check, broken, text } of rules) {
    const { rows } = await database.use((client) => client.query(text));
    if (rows.length > 0) throw new Violation(check, `${broken}: ${JSON.stringify(rows)}`);
  }
}

/** The number of entries put into the log: the known minimum and the maximum. */
export interface LogCounts {
  acknowledged(): number;
  all(): number;
}

/** Checks the embedded log when no writer is active. **Errors**: `Violation`. */
export async function checkLog(database: Database, sent: LogCounts): Promise<void> {
  await checkRules(database, LOG_RULES);
  const { rows } = await database.use((client) =>
    client.query<{ logged: number }>('select sum(end_offset)::bigint as logged from log_partition'),
  );
  const logged = rows[0]?.logged ?? 0;
  if (logged < sent.acknowledged() || logged > sent.all()) {
    throw new Violation(
      'log',
      `${logged} proposals were numbered; ${sent.acknowledged()} were acknowledged of ${sent.all()} sent`,
    );
  }
}
