import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasDocker } from './docker';

const FILE = 'kept-by';
const DOCKER = 'docker volumes\n';
const PROCESSES = 'files in this folder\n';

/**
 * Decides whether the servers run in containers: as requested, else as the kept data were made, else where a
 * Docker engine answers. The choice is stored with kept data, because a volume and a folder are not the same
 * place.
 *
 * **Errors**: when the data were made the other way.
 */
export async function whetherInDocker(
  dataDir: string | undefined,
  asked: boolean | undefined,
): Promise<boolean> {
  if (dataDir === undefined) return asked ?? hasDocker();
  const folder = resolve(dataDir);
  const former = formerOf(folder);
  if (former !== undefined && asked !== undefined && former !== asked) {
    const [option, place] = former ? ['--docker', 'Docker volumes'] : ['--no-docker', 'files there'];
    throw new Error(`The data of ${folder} are ${place}; start with ${option}, or with another folder`);
  }
  const inDocker = former ?? asked ?? (await hasDocker());
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, FILE), inDocker ? DOCKER : PROCESSES);
  return inDocker;
}

function formerOf(folder: string): boolean | undefined {
  const file = join(folder, FILE);
  if (existsSync(file)) return readFileSync(file, 'utf8') === DOCKER;
  return ['kafka', 'postgresql', 'opensearch', 'elasticsearch'].some((name) => existsSync(join(folder, name)))
    ? false
    : undefined;
}
