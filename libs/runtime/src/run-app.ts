import { fileURLToPath } from 'node:url';
import type { CatalogStage } from './run';
import { runProgram, settingsText } from './run-program';

/**
 * One app of the distributed profile as the program of this process. `mainUrl` is the `import.meta.url` of its main file, which
 * lies three folders below the root, in the sources and as a bundle.
 */
export async function runApp(name: string, stages: readonly CatalogStage[], mainUrl: string): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(
      `The ${name} app of a distributed catalog.\n\nSettings, from the environment:\n\n${settingsText()}`,
    );
    return;
  }
  process.env.STRATALOG_PROFILE ??= 'distributed';
  await runProgram({
    stages,
    modelFolders: [fileURLToPath(new URL('../../../models', mainUrl))],
    onReady: ({ url }) => `stratalog ${name} ready ${url}\n`,
  });
}
