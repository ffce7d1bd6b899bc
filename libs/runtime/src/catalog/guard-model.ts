import { InvalidModelError } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonOutput } from '@stratalog/json';
import type { AspectStore, StoredModel } from '@stratalog/ports';
import { compareModels, toModelShape, type EntityRegistry, type ModelShape } from '@stratalog/registry';

export interface GuardDeps {
  readonly stored: StoredModel;
  readonly store: Pick<AspectStore, 'readPartitionSequences'>;
  readonly registry: EntityRegistry;
}

/** Incremented when the form of stored shapes changes; a shape in an unknown form is not compared. */
const SHAPE_FORM = 1;
const SHOWN = 10;
/** The number of fingerprint digits that name a model. */
const NAME_LENGTH = 12;

/**
 * Compares the model with the one that last accepted the stored values, and stores it.
 *
 * **Errors**: `InvalidModelError` when stored values may not fit the model, unless `accepted` names this very
 * model. An operator who sets it knows which change is meant, and the next change is rejected again.
 */
export async function guardModel(deps: GuardDeps, accepted: string | undefined): Promise<void> {
  const { stored, store, registry } = deps;
  const { fingerprint } = registry;
  const known = await stored.read();
  if (known?.fingerprint === fingerprint) return;
  const shape = toModelShape(registry);
  const before = known === undefined ? undefined : shapeIn(known.shape);
  const isEmpty = (await store.readPartitionSequences()).size === 0;
  if (before !== undefined && !isEmpty) rejectBreaking(before, shape, fingerprint, accepted);
  const text = stringifyJson({ form: SHAPE_FORM, shape: shape as unknown as JsonOutput });
  await stored.write({ fingerprint, shape: text });
}

function rejectBreaking(
  before: ModelShape,
  shape: ModelShape,
  fingerprint: string,
  accepted: string | undefined,
): void {
  const breaking = compareModels(before, shape).filter(({ isBreaking }) => isBreaking);
  const name = fingerprint.slice(0, NAME_LENGTH);
  if (breaking.length === 0 || accepted === name) return;
  const listed = breaking.slice(0, SHOWN).map(({ place, what }) => `\n  ${place}: ${what}`);
  const more = breaking.length > SHOWN ? `\n  … and ${String(breaking.length - SHOWN)} more` : '';
  throw new InvalidModelError(
    `The model breaks with the one that the stored data was written by:${listed.join('')}${more}\n` +
      `Restore what is missing (is a folder of STRATALOG_MODELS gone?), or set STRATALOG_ACCEPT_MODEL=${name} to start with it`,
  );
}

function shapeIn(text: string): ModelShape | undefined {
  const stored = parseJson(text);
  if (!isJsonObject(stored) || stored.form !== SHAPE_FORM) return undefined;
  return stored.shape as unknown as ModelShape;
}
