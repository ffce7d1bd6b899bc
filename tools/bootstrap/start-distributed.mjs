// `npm run start:distributed`
import { runBundle } from './build/run-bundle.mjs';
import { DISTRIBUTED_APPS } from './workspace/workspace.mjs';

await runBundle('tools/distributed/main', 'runtime', { starts: DISTRIBUTED_APPS });
