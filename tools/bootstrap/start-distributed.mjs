// `npm run start:distributed`
import { runBundle } from './run-bundle.mjs';

const APPS = ['ingest', 'writer', 'indexer', 'query', 'graph', 'admin', 'proxy'];

await runBundle('tools/distributed/main', 'runtime', { starts: APPS.map((app) => `apps/${app}/main`) });
