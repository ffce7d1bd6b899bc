// `npm run local-stack`
import { runBundle } from './build/run-bundle.mjs';

await runBundle('tools/local-stack/main', 'runtime');
