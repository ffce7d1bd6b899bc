// `npm run bench`
import { runBundle } from './run-bundle.mjs';

await runBundle('bench/main', 'all');
