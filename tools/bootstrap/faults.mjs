// `npm run faults`
import { runBundle } from './build/run-bundle.mjs';
import { DISTRIBUTED_APPS } from './workspace/workspace.mjs';

const isEmbedded =
  process.argv.includes('crash') ||
  process.argv.includes('fuzz') ||
  (process.argv.includes('races') && !process.argv.includes('--distributed'));
const starts = isEmbedded ? ['apps/standalone/main'] : DISTRIBUTED_APPS;

await runBundle('tools/faults/main', 'all', { starts });
