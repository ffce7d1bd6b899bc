import { NotFoundError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { PartitionLag } from './work-watch';

/** The logs as the original names them. Timeseries values are in the log of changes here. */
const STREAMS = ['mcp', 'mcl', 'mcl-timeseries'];

/** The stage that works on the log of proposals; all others work on the log of changes. */
const WRITER = 'writer';

/**
 * Describes how far the consumers of a log are: each stage is a group with one topic.
 *
 * **Shape**: `{<group>: {<topic>: {metrics: {avgLag, maxLag, totalLag}, partitions: {<n>: {offset, lag}} | null}}}`.
 *
 * **Errors**: `NotFoundError` for another stream.
 */
export function describeConsumerLag(
  lags: readonly PartitionLag[],
  stream: string,
  isDetailed: boolean,
): JsonOutputObject {
  if (!STREAMS.includes(stream)) {
    throw new NotFoundError(
      `Parameter 'stream': "${stream.slice(0, 100)}" is not one of ${STREAMS.join(', ')}`,
    );
  }
  const isOf = ({ stage }: PartitionLag): boolean =>
    stream === 'mcp' ? stage === WRITER : stream === 'mcl' && stage !== WRITER;
  const ofLog = lags.filter(isOf);
  const topic = stream === 'mcp' ? 'proposals' : 'changes';
  const groups = [...new Set(ofLog.map(({ stage }) => stage))].map((group) => {
    const ofGroup = ofLog.filter(({ stage }) => stage === group);
    return [group, { [topic]: describeGroup(ofGroup, isDetailed) }] as const;
  });
  return Object.fromEntries(groups);
}

function describeGroup(lags: readonly PartitionLag[], isDetailed: boolean): JsonOutputObject {
  const totalLag = lags.reduce((sum, { records }) => sum + records, 0);
  const maxLag = Math.max(0, ...lags.map(({ records }) => records));
  const partitions = lags.map(({ partition, handled, records }) => [
    String(partition),
    { offset: handled, lag: records },
  ]);
  return {
    metrics: { avgLag: Math.round(totalLag / Math.max(1, lags.length)), maxLag, totalLag },
    partitions: isDetailed ? (Object.fromEntries(partitions) as JsonOutputObject) : null,
  };
}
