// `npm start`
import { runBundle } from './build/run-bundle.mjs';

await runBundle('apps/standalone/main', 'runtime');
