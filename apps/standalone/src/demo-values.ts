import type { Proposal } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';

const DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Hour of the nightly runs, in UTC; an hour later the checks have run too. */
const RUN_HOUR = 4;

/**
 * Makes 30 days of timeseries values for the sample catalog, up to the last night before `nowMs`: profiles, usage and operations of its tables, results
 * of its assertions. The same day always gets the same values, so a repeat changes nothing.
 */
export function demoValues(samples: readonly Proposal[], nowMs: number): readonly Proposal[] {
  const today = Math.floor((nowMs - (RUN_HOUR + 1) * HOUR_MS) / DAY_MS);
  const days = Array.from({ length: DAYS }, (_, at) => today - DAYS + 1 + at);
  const users = samples.filter(({ aspectName }) => aspectName === 'corpUserInfo').map(({ urn }) => urn);
  const tables = samples.filter(({ aspectName }) => aspectName === 'schemaMetadata');
  const assertions = samples.filter(({ aspectName }) => aspectName === 'assertionInfo');
  return days.flatMap((day) => [
    ...tables.flatMap((table) => makeTableValues(table, { day, users })),
    ...assertions.flatMap((assertion) => makeResult(assertion, day)),
  ]);
}

interface OfDay {
  /** Days since 1970. */
  readonly day: number;
  readonly users: readonly string[];
}

function makeTableValues(table: Proposal, { day, users }: OfDay): readonly Proposal[] {
  const columns = listColumns(table);
  // Tables differ by three orders of magnitude in size and use; they grow slowly, and rest at weekends.
  const size = 1_000 * 10 ** (3 * fraction(table.urn));
  const isWeekend = [0, 6].includes(new Date(day * DAY_MS).getUTCDay());
  const queries = Math.round(
    200 *
      fraction(`use of ${table.urn}`) ** 3 *
      (isWeekend ? 0.2 : 1) *
      (0.8 + 0.4 * fraction(`${table.urn} ${String(day)}`)),
  );
  const callers = users.slice(0, Math.min(users.length, Math.ceil(queries / 20)));
  const rowCount = Math.round(size * (1 + (day % 365) / 200));
  const timestampMillis = day * DAY_MS;
  const runMs = timestampMillis + RUN_HOUR * HOUR_MS;
  const values: readonly (readonly [string, JsonObject])[] = [
    [
      'datasetProfile',
      {
        timestampMillis: runMs,
        rowCount,
        columnCount: columns.length,
        sizeInBytes: rowCount * 24 * columns.length,
      },
    ],
    [
      'operation',
      {
        timestampMillis: runMs,
        operationType: 'INSERT',
        lastUpdatedTimestamp: runMs,
        numAffectedRows: Math.round(size / 200),
      },
    ],
    ...(queries === 0
      ? []
      : [
          [
            'datasetUsageStatistics',
            {
              timestampMillis,
              eventGranularity: { unit: 'DAY', multiple: 1 },
              uniqueUserCount: callers.length,
              totalSqlQueries: queries,
              userCounts: callers.map((user, at) => ({ user, count: Math.ceil(queries / 2 ** (at + 1)) })),
              fieldCounts: columns
                .slice(0, 5)
                .map((fieldPath, at) => ({ fieldPath, count: Math.ceil(queries / (at + 1)) })),
            },
          ] as const,
        ]),
  ];
  return values.map(([aspectName, value]) => toProposal(table, aspectName, value));
}

function makeResult(assertion: Proposal, day: number): readonly Proposal[] {
  const asserteeUrn = findDataset(parseValue(assertion));
  if (asserteeUrn === undefined) return [];
  const timestampMillis = day * DAY_MS + (RUN_HOUR + 1) * HOUR_MS;
  const isFailure = fraction(`${assertion.urn} ${String(day)}`) < 0.08;
  return [
    toProposal(assertion, 'assertionRunEvent', {
      timestampMillis,
      runId: `demo-${String(day)}`,
      asserteeUrn,
      assertionUrn: assertion.urn,
      status: 'COMPLETE',
      result: { type: isFailure ? 'FAILURE' : 'SUCCESS' },
    }),
  ];
}

/** Returns the first urn of a dataset in a value. */
function findDataset(value: JsonValue): string | undefined {
  return /urn:[^:"]+:dataset:\([^"]+?\)(?=")/.exec(stringifyJson(value))?.[0];
}

function listColumns(table: Proposal): readonly string[] {
  const { fields } = parseValue(table);
  return (Array.isArray(fields) ? fields : []).flatMap((field) =>
    isJsonObject(field) && typeof field.fieldPath === 'string' ? [field.fieldPath] : [],
  );
}

function parseValue({ value }: Proposal): JsonObject {
  const parsed = value === undefined ? undefined : parseJson(value);
  return isJsonObject(parsed) ? parsed : {};
}

function toProposal(like: Proposal, aspectName: string, value: JsonObject): Proposal {
  return { ...like, aspectName, value: stringifyJson(value) };
}

/** Hashes a text to a number from 0 to 1 (FNV-1a). */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  // The last step mixes the high bits, which similar texts share.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
