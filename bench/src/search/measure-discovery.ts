import { measured } from '../ingest/write-cases';
import { DatasetGenerator } from '../workload/dataset-generator';
import { discoveryClasses } from './discovery-requests';
import type { SearchBench } from './measure-queries';

/** One client sees what a request takes, many see what the catalog can do; goals are of one. */
const CONNECTIONS = [1, 32] as const;

/** Measures filters, orders, facets, folders and completions, over one connection and over 32. */
export async function measureDiscovery({ sizes, report, load, catalog }: SearchBench): Promise<void> {
  const classes = discoveryClasses(new DatasetGenerator(), {
    datasets: sizes.datasets,
    requests: sizes.discoveryRequests,
  });
  for (const connections of CONNECTIONS) {
    for (const { name, goals, requests } of classes) {
      const title = `${name}, ${String(connections)} ${connections === 1 ? 'connection' : 'connections'}`;
      const started = report.begin(title);
      const figures = await catalog.watching(`discovery ${title}`, () =>
        load.call('ask', { url: catalog.url, connections, requests }),
      );
      report.add(started, {
        case: title,
        sizes: { unit: 'requests', requests: requests.length, connections, datasets: sizes.datasets },
        ...measured(figures),
        goals: connections === 1 ? goals : [],
      });
    }
  }
}
