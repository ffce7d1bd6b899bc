// `npm run clients`
import { runBundle } from './build/run-bundle.mjs';

await runBundle('tools/clients/main', 'all', { starts: ['apps/standalone/main'] });
