import { readFileSync, statSync, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InvalidModelError } from '@stratalog/domain';
import type { PdlDocument } from '../pdl/pdl-syntax';
import { readPdl } from '../pdl/read-pdl';
import { NO_REGISTRY_FILE, readRegistryFile, type RegistryFile } from './read-registry-file';

/** How a model is called: by the `id` of its registry file, else by its folder. */
export interface ModelName {
  readonly name: string;
  /** The name of a folder such as `1.2.0`. */
  readonly version: string;
}

/** Content of one model folder, before names are resolved. */
export interface ModelFolder {
  readonly model: ModelName;
  readonly documents: readonly PdlDocument[];
  readonly registry: RegistryFile;
}

export const REGISTRY_FILES = ['entity-registry.yml', 'entity-registry.yaml'];

/**
 * Reads every `*.pdl` below the folder and its `entity-registry.yml` (or `.yaml`). Skips names with a leading dot.
 *
 * **Errors**: `InvalidModelError` when the folder or a file is unreadable, when it contains neither kind of file, or
 * when there are two registry files.
 */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  const names = await listFiles(folder);
  const registries = names.filter((name) => REGISTRY_FILES.includes(name));
  const pdlFiles = names.filter((name) => name.endsWith('.pdl'));
  if (registries.length > 1) {
    throw new InvalidModelError(`${folder}: expected one registry file, found ${registries.join(' and ')}`);
  }
  if (registries.length + pdlFiles.length === 0) {
    throw new InvalidModelError(
      `${folder}: expected ${REGISTRY_FILES.join(' or ')} or *.pdl files, found none`,
    );
  }
  const documents = pdlFiles.map((name) => join(folder, name)).map((file) => readPdl(readText(file), file));
  const [file] = registries.map((name) => join(folder, name));
  const registry = file === undefined ? NO_REGISTRY_FILE : readRegistryFile(readText(file), file);
  return { model: nameModel(folder, registry.id), documents, registry };
}

const VERSION = /^v?\d+(?:\.[\w+-]+)+$/;
/** What the original calls a model without a version. */
const NO_VERSION = '0.0.0-dev';

/** Names the model of a folder. */
export function nameModel(folder: string, id: string | undefined): ModelName {
  const path = resolve(folder);
  const isVersion = VERSION.test(basename(path));
  return {
    name: id ?? basename(isVersion ? dirname(path) : path),
    version: isVersion ? basename(path) : NO_VERSION,
  };
}

/** Lists relative names in a fixed order, so the same files always give the same model. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    await collectFiles(folder, '', names);
  } catch (cause) {
    throw new InvalidModelError(`${folder}: the model folder cannot be read`, { cause });
  }
  return names.sort();
}

/** The listing includes each entry's kind: a separate call per file would cost as much as reading it. */
async function collectFiles(root: string, below: string, names: string[]): Promise<void> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const name = join(below, entry.name);
    if (isFolder(entry, join(root, name))) await collectFiles(root, name, names);
    else names.push(name);
  }
}

function isFolder(entry: Dirent, path: string): boolean {
  return entry.isDirectory() || (entry.isSymbolicLink() && statSync(path).isDirectory());
}

/** Reads synchronously: a start has nothing else to do, and hundreds of small files then load four times as fast. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new InvalidModelError(`${file}: the file cannot be read`, { cause });
  }
}
