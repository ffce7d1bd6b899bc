import { plainEnvironment } from './environment';
import { Program, type ProgramOptions } from './program';

const URL_LINE = /^stratalog ready (\S+)$/m;
const LAST_LINE = 'Stop: Ctrl-C\n';

export interface CatalogOptions extends Omit<ProgramOptions, 'environment'> {
  /** The only settings of the catalog. The port is a free one unless they name it. */
  readonly settings?: NodeJS.ProcessEnv;
}

/** The program of `npm start`. */
export class CatalogProgram extends Program {
  constructor({ settings = {}, ...options }: CatalogOptions = {}) {
    const environment = { ...plainEnvironment(), STRATALOG_PORT: '0', ...settings };
    super('dist/apps/standalone/main.js', { ...options, environment });
  }

  get isReady(): boolean {
    return this.stdout.includes(LAST_LINE);
  }

  /** Resolves with the address when every stage is ready and all of the first output was printed. */
  async ready(limitMs?: number): Promise<string> {
    await this.printed(new RegExp(LAST_LINE), limitMs);
    return this.printed(URL_LINE);
  }
}

/** One app of a distributed catalog. */
export class AppProgram extends Program {
  constructor(
    readonly app: string,
    options: ProgramOptions,
  ) {
    super(`dist/apps/${app}/main.js`, options);
  }

  /** The address of its metrics, once it is ready; undefined when it has none. */
  get metrics(): string | undefined {
    return /^stratalog \w+ metrics (\S+)$/m.exec(this.stdout)?.[1];
  }

  /** Resolves with its address once it is ready. */
  ready(limitMs?: number): Promise<string> {
    return this.printed(/^stratalog \w+ ready (\S+)$/m, limitMs);
  }
}
