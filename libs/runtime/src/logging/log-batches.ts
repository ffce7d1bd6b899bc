import type { Logs } from '@stratalog/log-transport';
import type { Batch, BatchHandler } from '@stratalog/ports';
import type { Logger } from './logger';

/** Returns logs that write a line for each batch which a consumer has handled; the same ones, unless such lines are logged. */
export function logBatches(logs: Logs, logger: Logger): Logs {
  if (!logger.isLevelEnabled('debug')) return logs;
  const { proposals, changes } = logs;
  return {
    proposals: {
      consume: (handler) => proposals.consume(logged('writer', handler, logger)),
    },
    changes: {
      consume: (options, handler) => changes.consume(options, logged(options.name, handler, logger)),
    },
  };
}

function logged<T, R>(consumer: string, handle: BatchHandler<T, R>, logger: Logger): BatchHandler<T, R> {
  return async (batch) => {
    const startedMs = performance.now();
    const verdict = await handle(batch);
    const left = verdict.kind === 'done' ? (verdict.rest?.records.length ?? 0) : 0;
    logger.debug(
      {
        consumer,
        records: batch.records.length,
        ...(left === 0 ? {} : { left }),
        offsets: nameRanges(batch),
        verdict: verdict.kind,
        durationMs: Math.round(performance.now() - startedMs),
      },
      'a batch was delivered',
    );
    return verdict;
  };
}

/** Names the part of each partition: `3:7-9`. */
function nameRanges({ ranges }: Batch<unknown>): string {
  return ranges
    .map(({ partition, from, to }) => `${String(partition)}:${String(from + 1)}-${String(to)}`)
    .join(' ');
}
