import { basename, join, sep } from 'node:path';
import { InvalidModelError } from '@stratalog/model';
import type { EntityRegistry } from './entity-registry';
import { registryOf } from './load-model';
import type { PdlDocument } from '../pdl/pdl-syntax';
import { readPdl } from '../pdl/read-pdl';
import { REGISTRY_FILES, filesBelow, toText } from './read-model-folder';
import { NO_REGISTRY_FILE, readRegistryFile, type RegistryFile } from './read-registry-file';

/** What was understood of a tree of model files that somebody else laid out. */
export interface ModelSurvey {
  readonly pdlFiles: number;
  /** The registry file that was read: the one nearest to the root. */
  readonly registryFile?: string;
  /** How many events and plug-in classes it names; both are passed over. */
  readonly events: number;
  readonly plugins: number;
  /** What could not be understood, with its place; the file was left out for it. */
  readonly faults: readonly string[];
  /** What the other files say; absent when no model could be made of them. */
  readonly registry?: EntityRegistry;
}

/** Each fault costs another attempt; a tree with more of them is not meant for us. */
const MAX_FAULTS = 100;

/**
 * Reads all `*.pdl` below a folder and the registry file, wherever in it they lie. A file that cannot be understood is left out, and
 * so are those that need it.
 *
 * **Errors**: `InvalidModelError` when the folder cannot be read.
 */
export async function surveyModel(folder: string): Promise<ModelSurvey> {
  const names = await filesBelow(folder);
  const pdlFiles = names.filter((name) => name.endsWith('.pdl')).map((name) => join(folder, name));
  const faults: string[] = [];
  const read = new Map<string, PdlDocument>();
  for (const file of pdlFiles) {
    const document = attempt(() => readPdl(toText(file), file), faults);
    if (document !== undefined) read.set(file, document);
  }
  const [nearest] = names
    .filter((name) => REGISTRY_FILES.includes(basename(name)))
    .sort((a, b) => a.split(sep).length - b.split(sep).length);
  const registryFile = nearest === undefined ? undefined : join(folder, nearest);
  const said =
    (registryFile === undefined
      ? undefined
      : attempt(() => readRegistryFile(toText(registryFile), registryFile), faults)) ?? NO_REGISTRY_FILE;
  const registry = registryWithout(read, said, faults);
  return {
    pdlFiles: pdlFiles.length,
    ...(registryFile === undefined ? {} : { registryFile }),
    events: said.events.length,
    plugins: said.plugins.length,
    faults,
    ...(registry === undefined ? {} : { registry }),
  };
}

/** Leaves out one file after another until the rest makes a model. */
function registryWithout(
  read: Map<string, PdlDocument>,
  said: RegistryFile,
  faults: string[],
): EntityRegistry | undefined {
  while (faults.length < MAX_FAULTS) {
    try {
      return registryOf([{ documents: [...read.values()], registry: said }], {});
    } catch (error) {
      if (!(error instanceof InvalidModelError)) throw error;
      faults.push(error.message);
      if (!read.delete(String(error.details.file))) return undefined;
    }
  }
  return undefined;
}

function attempt<T>(work: () => T, faults: string[]): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidModelError)) throw error;
    faults.push(error.message);
    return undefined;
  }
}
