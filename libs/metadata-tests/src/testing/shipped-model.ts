import { join } from 'node:path';
import { loadModel, type EntityRegistry } from '@stratalog/registry';

/** Loads the model of the product, for the specs of this library. */
export function loadShippedModel(): Promise<EntityRegistry> {
  return loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
}
