import { basename, join, sep } from 'node:path';
import { InvalidModelError } from '@stratalog/domain';
import type { EntityRegistry } from './entity-registry';
import { buildRegistry } from './load-model';
import type { PdlDocument } from '../pdl/pdl-syntax';
import { readPdl } from '../pdl/read-pdl';
import { REGISTRY_FILES, listFiles, nameModel, readText } from './read-model-folder';
import { NO_REGISTRY_FILE, readRegistryFile, type RegistryFile } from './read-registry-file';

/** The readable part of a tree of model files with any layout. */
export interface ModelSurvey {
  readonly pdlFiles: number;
  /** Registry file nearest to the root. */
  readonly registryFile?: string;
  /** Numbers of events and plug-in classes in it; both are ignored. */
  readonly events: number;
  readonly plugins: number;
  /** Faults with their places; the files with faults were left out. */
  readonly faults: readonly string[];
  /** Model of the remaining files; absent when they make no model. */
  readonly registry?: EntityRegistry;
}

/** Most faults. Each costs another attempt, and a tree with more is no model of this kind. */
const MAX_FAULTS = 100;

/**
 * Reads all `*.pdl` below a folder and the registry file, wherever they are. Leaves out files with faults, and files
 * that depend on them.
 *
 * **Errors**: `InvalidModelError` when the folder cannot be read.
 */
export async function surveyModel(folder: string): Promise<ModelSurvey> {
  const names = await listFiles(folder);
  const pdlFiles = names.filter((name) => name.endsWith('.pdl')).map((name) => join(folder, name));
  const faults: string[] = [];
  const read = new Map<string, PdlDocument>();
  for (const file of pdlFiles) {
    const document = attempt(() => readPdl(readText(file), file), faults);
    if (document !== undefined) read.set(file, document);
  }
  const [nearest] = names
    .filter((name) => REGISTRY_FILES.includes(basename(name)))
    .sort((a, b) => a.split(sep).length - b.split(sep).length);
  const registryFile = nearest === undefined ? undefined : join(folder, nearest);
  const registryContent =
    (registryFile === undefined
      ? undefined
      : attempt(() => readRegistryFile(readText(registryFile), registryFile), faults)) ?? NO_REGISTRY_FILE;
  const registry = buildFromRest(read, registryContent, faults);
  return {
    pdlFiles: pdlFiles.length,
    ...(registryFile === undefined ? {} : { registryFile }),
    events: registryContent.events.length,
    plugins: registryContent.plugins.length,
    faults,
    ...(registry === undefined ? {} : { registry }),
  };
}

/** Leaves out one file after another until the rest makes a model. */
function buildFromRest(
  read: Map<string, PdlDocument>,
  registryContent: RegistryFile,
  faults: string[],
): EntityRegistry | undefined {
  while (faults.length < MAX_FAULTS) {
    try {
      const folder = {
        model: nameModel('.', registryContent.id),
        documents: [...read.values()],
        registry: registryContent,
      };
      return buildRegistry([folder], {});
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
