import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const OLDEST = 17;
const HOW_TO_GET = `Install Java ${OLDEST} or later (Debian, Ubuntu: apt-get install openjdk-${OLDEST}-jre-headless)`;

export interface Java {
  readonly command: string;
  readonly home: string;
  /** Vendor and build, to which a class archive is bound. */
  readonly build: string;
}

/**
 * Finds the Java of `JAVA_HOME` when that is set, else the one on the PATH.
 *
 * **Errors**: rejects with the required installation when there is none, or it is too old.
 */
export async function findJava(): Promise<Java> {
  const home = process.env.JAVA_HOME;
  const command = home === undefined || home === '' ? 'java' : join(home, 'bin', 'java');
  const properties = await run(command, ['-XshowSettings:properties', '-version']).then(
    ({ stderr }) => stderr,
    (error: unknown) => {
      throw new Error(`${command} cannot be run. ${HOW_TO_GET}.`, { cause: error });
    },
  );
  const property = (name: string): string =>
    new RegExp(`^ *${name.replaceAll('.', '\\.')} = (.*)$`, 'm').exec(properties)?.[1]?.trim() ?? '';
  const version = Number(property('java.specification.version'));
  if (!(version >= OLDEST)) {
    throw new Error(`${command} is Java ${property('java.specification.version')}. ${HOW_TO_GET}.`);
  }
  return {
    command,
    home: property('java.home'),
    build: `${property('java.vendor')} ${property('java.vm.version')}`,
  };
}
