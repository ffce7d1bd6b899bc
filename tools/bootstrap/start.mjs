// `npm start`
import { runBundle } from './run-bundle.mjs';

await runBundle('apps/standalone/main', 'runtime');
