import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './pages';

const URL_LINE = /^stratalog ready (\S+)$/m;
const LAST_LINE = 'Stop: Ctrl-C\n';

/** The program of `npm start`, as a page's reader starts it. */
export class CatalogProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly dataDir: string,
    /** The output of a ready catalog. */
    readonly printed: string,
  ) {}

  /** **Errors**: rejects with its output when it ends before it is ready. */
  static async start(dataDir: string, args: readonly string[]): Promise<CatalogProcess> {
    const child = spawn(process.execPath, [join(ROOT, 'dist/apps/standalone/main.js'), ...args], {
      env: { ...plainEnvironment(), STRATALOG_DATA_DIR: dataDir, STRATALOG_PORT: '0' },
      // The channel reports the end of this process.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let printed = '';
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdout?.setEncoding('utf8');
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (text: string) => {
        printed += text;
        if (printed.endsWith(LAST_LINE)) resolve();
      });
      child.once('exit', () => {
        reject(new Error(`the catalog ended: ${said}`));
      });
    });
    return new CatalogProcess(child, URL_LINE.exec(printed)?.[1] ?? '', dataDir, printed);
  }

  /** Like Ctrl-C; resolves with its exit code. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGINT');
    await exited;
    return this.child.exitCode;
  }
}

/** Settings of the environment of the tests would make it another catalog. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const settings = /^(STRATALOG_|DATABASE_|NODE_OPTIONS$|npm_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
}
