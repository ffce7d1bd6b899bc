// `npm start`
import { runBundle } from './build/run-bundle.mjs';
import { WEB } from './workspace/workspace.mjs';

await runBundle('apps/standalone/main', 'runtime', { later: [WEB] });
