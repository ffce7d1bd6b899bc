import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROUTE_LIST } from '@stratalog/api-docs/route-list';
import { runProgram } from '@stratalog/runtime';
import { helpText, parseArguments } from './arguments';
import { loadDemo } from './load-demo';
import { readyText } from './ready-text';
import { MODELS, STAGES } from './stages';

/** The same from the sources and from the bundle. */
const DEMO = fileURLToPath(new URL('../../../apps/standalone/demo', import.meta.url));

const parsed = parseArguments(process.argv.slice(2), process.env);
if (parsed.kind === 'help') {
  process.stdout.write(helpText(parsed.isAll));
} else if (parsed.kind === 'usage') {
  process.stderr.write(`stratalog: ${parsed.fault} (npm start -- --help lists what there is)\n`);
  process.exitCode = 2;
} else {
  await runProgram({
    app: 'standalone',
    stages: STAGES,
    routes: ROUTE_LIST,
    modelFolders: [MODELS],
    onReady: async (catalog, settings) => {
      if (parsed.demo) await loadDemo(catalog.deps, { folder: DEMO, testsFolder: join(MODELS, 'tests') });
      return readyText(catalog, settings, parsed.demo);
    },
  });
}
