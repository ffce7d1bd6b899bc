// `npm run faults`
import { runBundle } from './run-bundle.mjs';

await runBundle('tools/faults/main', 'all', { starts: ['apps/standalone/main'] });
