import { fileURLToPath } from 'node:url';
import { settingsText } from '../settings/settings-text';
import { runProgram, type Program } from './run-program';

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
  const asked = new Set(process.argv.slice(2));
  const isAll = asked.has('--help-all');
  if (isAll || asked.has('--help') || asked.has('-h')) {
    const text = settingsText({ isAll, profile: 'distributed' });
    process.stdout.write(
      `The ${name} app of a distributed catalog.\n\nSettings, from the environment:\n\n${text}`,
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
