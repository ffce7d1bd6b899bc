import type { Goal } from '../report/measurement';
import type { MeasuredCatalog } from '../serve/measured-catalog';
import { READ_CONNECTIONS } from './ingest-sizes';
import { measured, type WriteBench } from './write-cases';

/**
 * A rate that leaves both sides idle time: it shows a reader's latency, where full speed shows the length of
 * the queue.
 */
const PACED_RATE = 1_000;

const TARGETS = {
  entity: 'GET /entitiesV2/<urn>',
  version: 'GET /aspects/<urn>?aspect=&version=',
} as const;

/** Measures reads of single entities and of stored versions, chosen evenly from all writes. */
export async function timeseriesReads(
  { report, load, sizes }: WriteBench,
  catalog: MeasuredCatalog,
  goals: readonly Goal[],
): Promise<void> {
  for (const kind of ['entity', 'version'] as const) {
    for (const rate of [PACED_RATE, undefined]) {
      const speed = rate === undefined ? 'at full speed' : `at ${String(rate)}/s`;
      const name = `read ${kind}, ${speed}`;
      const started = report.begin(`${TARGETS[kind]} ${speed}`);
      const reads = { url: catalog.url, kind, connections: READ_CONNECTIONS };
      await load.call('read', { ...reads, seconds: sizes.warmSeconds / 3 });
      const figures = await catalog.watching(name, () =>
        load.call('read', {
          ...reads,
          seconds: sizes.readSeconds,
          ...(rate === undefined ? {} : { rate }),
        }),
      );
      report.add(started, {
        case: name,
        sizes: { unit: 'reads', connections: READ_CONNECTIONS, what: TARGETS[kind] },
        ...measured(figures),
        goals,
      });
    }
  }
}
