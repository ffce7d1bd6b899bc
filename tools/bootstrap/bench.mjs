// `npm run bench`
import { runBundle } from './build/run-bundle.mjs';

const APPS = ['ingest', 'writer', 'indexer', 'query', 'graph', 'admin', 'proxy'];
const isDistributed = process.argv.some(
  (argument) => argument === '--distributed' || argument === 'pipeline',
);
const starts = isDistributed ? ['tools/distributed/main', ...APPS.map((app) => `apps/${app}/main`)] : [];

await runBundle('bench/main', 'all', { starts });
