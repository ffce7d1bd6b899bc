import { readFileSync, statSync, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidModelError } from '@stratalog/model';
import type { PdlDocument } from '../pdl/pdl-syntax';
import { readPdl } from '../pdl/read-pdl';
import { NO_REGISTRY_FILE, readRegistryFile, type RegistryFile } from './read-registry-file';

/** What one model folder holds, before names are resolved. */
export interface ModelFolder {
  readonly documents: readonly PdlDocument[];
  readonly registry: RegistryFile;
}

export const REGISTRY_FILES = ['entity-registry.yml', 'entity-registry.yaml'];

/**
 * Reads every `*.pdl` below the folder and its `entity-registry.yml` (or `.yaml`). Names with a leading dot are skipped.
 *
 * **Errors**: `InvalidModelError` when the folder or a file cannot be read, when neither kind of file is there, or when
 * there are two registry files.
 */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  const names = await filesBelow(folder);
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
  const documents = pdlFiles.map((name) => join(folder, name)).map((file) => readPdl(toText(file), file));
  const [registry] = registries.map((name) => join(folder, name));
  return {
    documents,
    registry: registry === undefined ? NO_REGISTRY_FILE : readRegistryFile(toText(registry), registry),
  };
}

/** Relative names in a fixed order, so that the same files always make the same model. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    await collectFiles(folder, '', names);
  } catch (cause) {
    throw new InvalidModelError(`${folder}: the model folder cannot be read`, { cause });
  }
  return names.sort();
}

/** What each entry is comes with the list: asking for every file costs as much as reading it. */
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

/** Waits for the file: a start has nothing else to do, and hundreds of small files are read four times as fast so. */
export function toText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new InvalidModelError(`${file}: the file cannot be read`, { cause });
  }
}
