// `npm run faults`
import { runBundle } from './run-bundle.mjs';
import { DISTRIBUTED_APPS } from './workspace.mjs';

const starts = process.argv.includes('crash') ? ['apps/standalone/main'] : DISTRIBUTED_APPS;

await runBundle('tools/faults/main', 'all', { starts });
