import { fileURLToPath } from 'node:url';
import { runProgram, settingsText, type Program } from './run-program';

export interface AppProgram extends Pick<Program, 'stages' | 'routes'> {
  readonly name: string;
  /**
   * The `import.meta.url` of its main file, which lies three folders below the root, in the sources and as a
   * bundle.
   */
  readonly mainUrl: string;
}

/** Runs one app of the distributed profile as the program of this process. */
export async function runApp({ name, stages, routes, mainUrl }: AppProgram): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(
      `The ${name} app of a distributed catalog.\n\nSettings, from the environment:\n\n${settingsText()}`,
    );
    return;
  }
  process.env.STRATALOG_PROFILE ??= 'distributed';
  await runProgram({
    app: name,
    stages,
    routes,
    modelFolders: [fileURLToPath(new URL('../../../models', mainUrl))],
    onReady: ({ url, metricsUrl }) =>
      `${metricsUrl === undefined ? '' : `stratalog ${name} metrics ${metricsUrl}\n`}stratalog ${name} ready ${url}\n`,
  });
}
