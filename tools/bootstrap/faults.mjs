// `npm run faults`
import { runBundle } from './run-bundle.mjs';
import { DISTRIBUTED_APPS } from './workspace.mjs';

const starts = process.argv[2] === 'distributed' ? DISTRIBUTED_APPS : ['apps/standalone/main'];

await runBundle('tools/faults/main', 'all', { starts });
