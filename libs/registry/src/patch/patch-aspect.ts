import { largePartsIn, parseInSteps, type JsonValue, type NoteUnknown, type Steps } from '@stratalog/model';
import { checkAspectInSteps } from '../values/check-aspect';
import type { AspectType, EntityRegistry } from '../model/entity-registry';
import { gatherLineage, keyLineage } from './fine-grained-lineage';
import {
  UNIT_SEPARATOR,
  addressedBy,
  gatherArrays,
  keyArrays,
  replaceAt,
  type KeyedField,
} from './keyed-arrays';
import { noteUnknownInPatch } from './note-unknown-in-patch';
import { readPatch, type PatchDocument, type PatchOperation } from './patch-document';
import { PATCH_TEMPLATES, type PatchStamp, type PatchTemplate } from './patch-templates';
import { applyOperations, isTreeObject, plainOf, type PatchTree } from './patch-tree';

/** What a patch makes of the stored value (canonical JSON text, if there is one): the next value, canonical too, or why there is none. */
export type AspectPatch = (
  current: string | undefined,
  stamp: PatchStamp,
) => Steps<{ readonly value: string } | { readonly rejection: string }>;

/**
 * Reads the value of a PATCH proposal for an aspect of `urn`; what can be said against it without the stored value is said here.
 *
 * **Source**: entity and aspect behaviour, section 10.6.
 */
export function* parseAspectPatch(
  registry: EntityRegistry,
  aspect: AspectType,
  { urn, value: text }: { readonly urn: string; readonly value: string },
): Steps<
  | { readonly patch: AspectPatch; readonly noteUnknown: (note: NoteUnknown) => Steps<void> }
  | { readonly rejection: string }
> {
  if (aspect.isKey) return { rejection: `Aspect ${aspect.name} follows from the urn and cannot be patched` };
  const document = yield* readPatch(text);
  if ('fault' in document) return { rejection: `Invalid patch for aspect ${aspect.name}: ${document.fault}` };
  const template = templateFor(aspect.name, document);
  if (template === undefined) {
    return { rejection: `Aspect: ${aspect.name} does not currently support patch operations.` };
  }
  const { operations } = document;
  return {
    noteUnknown: (note) => noteUnknownInPatch(aspect.record, operations, note),
    *patch(current, stamp) {
      const before =
        current === undefined ? template.beginning?.(stamp) : (yield* parseInSteps(current)).value;
      if (before === undefined) return { rejection: withoutBeginning(aspect.name, urn) };
      const after = yield* patched(before, { operations, template, stamp });
      if ('fault' in after) {
        return {
          rejection: `Error performing JSON PATCH on aspect ${aspect.name} of ${urn}: ${after.fault}`,
        };
      }
      const { value } = after;
      const large = yield* largePartsIn(value);
      const check = yield* checkAspectInSteps(registry, aspect, { value, large });
      if ('text' in check) return { value: check.text };
      const faults = check.faults.map(({ path, reason }) => `ERROR :: ${path} :: ${reason}`).join('\n');
      return { rejection: `Failed to validate record with class ${aspect.recordName}: ${faults}` };
    },
  };
}

/**
 * What is known of the aspect, with the keys that the patch names for its arrays: its paths follow those, in number and order.
 * Of an aspect that nothing is known of, or when the patch insists, only what it says counts.
 */
function templateFor(
  aspectName: string,
  { arrayKeys, isForcedGeneric }: PatchDocument,
): PatchTemplate | undefined {
  const known = PATCH_TEMPLATES.get(aspectName);
  if (arrayKeys === undefined) return known;
  const named = [...arrayKeys].map(([field, keys]): KeyedField => ({
    path: field.split(UNIT_SEPARATOR),
    keys,
  }));
  if (known === undefined || isForcedGeneric) return { keyed: named, beginning: () => ({}) };
  const others = known.keyed.filter(({ path }) => !arrayKeys.has(path.join(UNIT_SEPARATOR)));
  return { ...known, keyed: [...others, ...named] };
}

function withoutBeginning(aspectName: string, urn: string): string {
  return (
    `Patch not supported for aspect with name ${aspectName}. Default aspect is required because no aspect currently ` +
    `exists for urn ${urn}.`
  );
}

interface PatchWork {
  readonly operations: readonly PatchOperation[];
  readonly template: PatchTemplate;
  readonly stamp: PatchStamp;
}

/** `before` is changed in place. */
function* patched(
  before: JsonValue,
  { operations, template, stamp }: PatchWork,
): Steps<{ readonly value: JsonValue } | { readonly fault: string }> {
  // Operations write their values into the tree, and may change them there; they are used again when a commit is repeated.
  const own = yield* clonesOf(operations);
  const fields = addressedBy(own, template.keyed);
  const lineage = addressedBy(own, template.lineage === undefined ? [] : [{ path: [template.lineage] }]);
  const tree: PatchTree = before;
  yield* keyArrays(tree, fields);
  for (const { path } of lineage) yield* replaceAt(tree, path, keyLineage);
  try {
    const after = yield* applyOperations(tree, own);
    for (const path of template.stamped ?? []) yield* replaceAt(after, path, withStampOf(stamp));
    for (const { path } of lineage) yield* replaceAt(after, path, gatheredLineage);
    yield* gatherArrays(after, fields);
    return { value: yield* plainOf(after) };
  } catch (error) {
    if (error instanceof RangeError) return { fault: error.message };
    throw error;
  }
}

function* clonesOf(operations: readonly PatchOperation[]): Steps<readonly PatchOperation[]> {
  const clones: PatchOperation[] = [];
  for (const operation of operations) {
    clones.push('value' in operation ? { ...operation, value: structuredClone(operation.value) } : operation);
    yield;
  }
  return clones;
}

function withStampOf({ time, actor }: PatchStamp): (tree: PatchTree) => Steps<PatchTree> {
  return function* (tree) {
    yield;
    return !isTreeObject(tree) || 'auditStamp' in tree ? tree : { ...tree, auditStamp: { time, actor } };
  };
}

function* gatheredLineage(tree: PatchTree): Steps<PatchTree> {
  return isTreeObject(tree) ? yield* gatherLineage(tree) : tree;
}
