import { stringifyJson, type JsonObject, type Steps } from '@stratalog/json';
import type { SentUsage } from './usage.routes';

const USAGE = 'datasetUsageStatistics';

/** Writes buckets of usage as the members of proposals of `datasetUsageStatistics`. */
export function* toUsageProposals(buckets: readonly SentUsage[]): Steps<readonly JsonObject[]> {
  const proposals: JsonObject[] = [];
  for (const bucket of buckets) {
    proposals.push(toProposal(bucket));
    yield;
  }
  return proposals;
}

function toProposal({ bucket, duration, resource, metrics }: SentUsage): JsonObject {
  const { uniqueUserCount, totalSqlQueries, topSqlQueries, users, fields } = metrics;
  const value = stringifyJson({
    timestampMillis: bucket,
    eventGranularity: { unit: duration, multiple: 1 },
    uniqueUserCount: uniqueUserCount ?? undefined,
    totalSqlQueries: totalSqlQueries ?? undefined,
    topSqlQueries: topSqlQueries ?? undefined,
    userCounts: users?.map(({ user, count, userEmail }) => ({
      user,
      count,
      userEmail: userEmail ?? undefined,
    })),
    fieldCounts: fields?.map(({ fieldName, count }) => ({ fieldPath: fieldName, count })),
  });
  return {
    entityType: 'dataset',
    entityUrn: resource,
    changeType: 'UPSERT',
    aspectName: USAGE,
    aspect: { value, contentType: 'application/json' },
  };
}
