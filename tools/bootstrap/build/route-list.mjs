// Puts the names of all routes into bundles as data, so that an app knows the routes of the others without their code.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DIST, ROOT } from '../workspace/workspace.mjs';

const SOURCE = 'libs/api-docs/src/route-list.ts';

/** Computes the list when the first bundle needs it. */
export class RouteListPlugin {
  #made;
  #make;

  /** `options(outfile)` are esbuild's for a bundle at `outfile`. */
  constructor(esbuild, options) {
    this.#make = () => readRouteList(esbuild, options);
  }

  /** For esbuild; adds the sources of the list to `inputs` when the bundle has the list. */
  for(inputs) {
    return {
      name: 'route-list',
      setup: ({ onLoad }) => {
        onLoad({ filter: /[/\\]api-docs[/\\]src[/\\]route-list\.ts$/ }, async () => {
          const { list, sources } = await (this.#made ??= this.#make());
          inputs.push(...sources);
          return { contents: `export const ROUTE_LIST = ${list};` };
        });
      },
    };
  }
}

async function readRouteList(esbuild, options) {
  const folder = mkdtempSync(join(DIST, '.route-list-'));
  try {
    const outfile = join(folder, 'list.js');
    const { metafile } = await esbuild.build({
      ...options(outfile),
      stdin: {
        contents: `import { ROUTE_LIST } from './${SOURCE}'; process.stdout.write(JSON.stringify(ROUTE_LIST));`,
        resolveDir: ROOT,
      },
    });
    // In a process of its own: the list is made by all controllers.
    const { stdout } = await promisify(execFile)(process.execPath, [outfile]);
    const sources = Object.keys(metafile.inputs).filter((path) => path !== '<stdin>');
    return { list: stdout, sources };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
