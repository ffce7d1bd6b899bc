import type { FloorCommands } from '../floor/floor';
import type { LoadCommands } from '../load/load';
import type { Worker } from '../processes/worker';
import type { Report } from '../report/report';
import type { IngestSizes } from './ingest-sizes';

/** The shared parts of an ingest bench's cases. */
export interface IngestBench {
  readonly sizes: IngestSizes;
  readonly report: Report;
  readonly load: Worker<LoadCommands>;
  readonly floor: Worker<FloorCommands>;
}
