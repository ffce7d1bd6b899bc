import { isJsonObject, parseJson, stringifyJson, withoutNul } from '@stratalog/json';
import type { AuditLog, AuditQuery, AuditRecord, AuditedCall } from '@stratalog/ports';
import { And, LessThan, MoreThanOrEqual } from 'typeorm';
import type { Database } from '../database/database';
import { AuditRecordRow } from '../rows/audit-record.row';

/** Records calls in one table. */
export class PostgresAuditLog implements AuditLog {
  constructor(private readonly database: Database) {}

  async append({ token, parameters, durationMs, ...call }: AuditedCall): Promise<void> {
    const row = {
      ...call,
      token: token ?? null,
      parameters: withoutNul(stringifyJson(parameters)),
      durationMs: Math.round(durationMs),
    };
    await this.database.use((_, rows) => rows.insert(AuditRecordRow, row));
  }

  list({ limit, ...query }: AuditQuery): Promise<readonly AuditRecord[]> {
    return this.database.read(async (_, rows) => {
      const where = toCondition(query);
      return (await rows.find(AuditRecordRow, { where, order: { id: 'desc' }, take: limit })).map(toRecord);
    });
  }

  async purge(ageMs: number): Promise<number> {
    const { rowCount } = await this.database.use((client) =>
      client.query({
        name: 'purge-audit-records',
        text: `delete from audit_record where time < clock_timestamp() - $1 * interval '1 millisecond'`,
        values: [ageMs],
      }),
    );
    return rowCount ?? 0;
  }
}

/** Members that are `undefined` select nothing, so they are left out. */
function toCondition({ before, fromMs, toMs, ...equal }: Omit<AuditQuery, 'limit'>) {
  const times = [
    ...(fromMs === undefined ? [] : [MoreThanOrEqual(new Date(fromMs))]),
    ...(toMs === undefined ? [] : [LessThan(new Date(toMs))]),
  ];
  return {
    ...Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined)),
    ...(before === undefined ? {} : { id: LessThan(before) }),
    ...(times.length === 0 ? {} : { time: And(...times) }),
  };
}

function toRecord({ time, token, address, omitted, parameters, ...row }: AuditRecordRow): AuditRecord {
  const parsed = parseJson(parameters);
  return {
    ...row,
    timeMs: time.getTime(),
    ...(token === null ? {} : { token }),
    ...(address === null ? {} : { address }),
    ...(omitted === 0 ? {} : { omitted }),
    parameters: isJsonObject(parsed) ? parsed : {},
  };
}
