// `npm run cli`
import { runBundle } from './run-bundle.mjs';

await runBundle('apps/cli/main', 'runtime');
