import type { Floor } from '../report/measurement';
import { NEW_SHARE } from './ingest-sizes';
import type { IngestBench } from './run-ingest';

/** Writes per second of bare SQL, as a client would count them. */
export async function measureFloor({ report, floor, sizes }: IngestBench): Promise<Floor> {
  const begun = report.begin('floor: bare SQL, one connection, 64 rows a commit');
  await floor.call('write', { seconds: sizes.warmSeconds / 3, newShare: NEW_SHARE });
  const { seconds, writes, rows, commits } = await floor.call('write', {
    seconds: sizes.floorSeconds,
    newShare: NEW_SHARE,
  });
  report.add(begun, {
    case: 'floor',
    sizes: { unit: 'writes', rowsPerCommit: 64, newShare: NEW_SHARE, rowsPerSecond: rows / seconds },
    seconds,
    rate: writes / seconds,
    p50Ms: (seconds * 1000) / commits,
  });
  return { what: 'bare SQL, one connection, 64 rows a commit', rate: writes / seconds };
}
