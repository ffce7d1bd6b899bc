import { catalogProcesses, cpuCoresBetween } from '../machine/process-usage';
import type { Floor } from '../report/measurement';
import { NEW_SHARE } from './ingest-sizes';
import type { IngestBench } from './ingest-bench';

/** Measures writes per second of bare SQL, as a client counts them. */
export async function measureFloor({ report, floor, sizes }: IngestBench): Promise<Floor> {
  const started = report.begin('floor: bare SQL, one connection, 64 rows a commit');
  await floor.call('write', { seconds: sizes.warmSeconds / 3, newShare: NEW_SHARE });
  const before = catalogProcesses(floor.pid);
  const { seconds, writes, rows, commits } = await floor.call('write', {
    seconds: sizes.floorSeconds,
    newShare: NEW_SHARE,
  });
  const cpuCores = cpuCoresBetween(before, catalogProcesses(floor.pid), seconds);
  report.add(started, {
    case: 'floor',
    sizes: {
      unit: 'writes',
      p50Is: 'mean time of a commit',
      rowsPerCommit: 64,
      newShare: NEW_SHARE,
      rowsPerSecond: rows / seconds,
    },
    seconds,
    rate: writes / seconds,
    p50Ms: (seconds * 1000) / commits,
    ...(cpuCores === undefined ? {} : { cpuCores }),
  });
  return { what: 'bare SQL, one connection, 64 rows a commit', rate: writes / seconds };
}
