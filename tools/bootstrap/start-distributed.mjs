// `npm run start:distributed`
import { runBundle } from './run-bundle.mjs';
import { DISTRIBUTED_APPS } from './workspace.mjs';

await runBundle('tools/distributed/main', 'runtime', { starts: DISTRIBUTED_APPS });
