// `npm run bench`
import { runBundle } from './build/run-bundle.mjs';

const APPS = ['ingest', 'writer', 'indexer', 'query', 'graph', 'admin', 'proxy'];
const isDistributed = process.argv.some(
  (argument) => argument === '--distributed' || argument === 'pipeline',
);
const ofPages = process.argv.includes('pages') ? ['apps/standalone/main'] : [];
const starts = isDistributed ? ['tools/distributed/main', ...APPS.map((app) => `apps/${app}/main`)] : ofPages;

await runBundle('bench/main', 'all', { starts: ['bench/serve', ...starts] });
