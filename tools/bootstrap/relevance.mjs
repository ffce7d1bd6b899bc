// `npm run relevance`
import { runBundle } from './build/run-bundle.mjs';

await runBundle('tools/relevance/main', 'all');
