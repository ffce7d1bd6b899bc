// `npm run relevance`
import { runBundle } from './run-bundle.mjs';

await runBundle('tools/relevance/main', 'all');
