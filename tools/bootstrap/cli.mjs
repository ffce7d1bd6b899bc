// `npm run cli`
import { runBundle } from './build/run-bundle.mjs';

await runBundle('apps/cli/main', 'runtime');
