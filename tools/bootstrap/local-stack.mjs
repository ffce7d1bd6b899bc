// `npm run local-stack`
import { runBundle } from './run-bundle.mjs';

await runBundle('tools/local-stack/main', 'runtime');
