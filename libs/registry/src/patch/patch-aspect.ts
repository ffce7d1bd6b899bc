import type { ReportUnknown, AuditStamp } from '@stratalog/domain';
import { largePartsIn, parseInSteps, type JsonValue, type Steps } from '@stratalog/json';
import { checkAspectInSteps } from '../values/check-aspect';
import { formatFaults, rejectReferences } from '../values/reject-references';
import type { AspectType, EntityRegistry } from '../model/entity-registry';
import { gatherLineage, keyLineage } from './fine-grained-lineage';
import {
  UNIT_SEPARATOR,
  selectAddressed,
  gatherArrays,
  keyArrays,
  replaceAt,
  type KeyedField,
} from './keyed-arrays';
import { markRequiredArrays } from './mark-required-arrays';
import { reportUnknownInPatch } from './report-unknown-in-patch';
import { readPatch, type PatchDocument, type PatchOperation } from './patch-document';
import { PATCH_TEMPLATES, type PatchTemplate } from './patch-templates';
import { applyOperations, isTreeObject, toPlain, type PatchTree } from './patch-tree';

/**
 * Computes the next canonical value from the stored one, or the reason of a rejection; `undefined` is a value that is
 * not stored. A patch that only removes what is absent leaves the stored value, or its absence.
 */
export type AspectPatch = (
  current: string | undefined,
  stamp: AuditStamp,
) => Steps<{ readonly value: string | undefined } | { readonly rejection: string }>;

/**
 * Parses the value of a PATCH proposal for an aspect of `urn`. Returns the rejections that do not depend on the
 * stored value.
 *
 * **Source**: `docs/what/proposal.md`, Patches.
 */
export function* parseAspectPatch(
  registry: EntityRegistry,
  aspect: AspectType,
  { urn, value: text }: { readonly urn: string; readonly value: string },
): Steps<
  | { readonly patch: AspectPatch; readonly reportUnknown: (report: ReportUnknown) => Steps<void> }
  | { readonly rejection: string }
> {
  if (aspect.isKey) return { rejection: `Aspect ${aspect.name} follows from the urn and cannot be patched` };
  const document = yield* readPatch(text);
  if ('fault' in document) return { rejection: `Invalid patch for aspect ${aspect.name}: ${document.fault}` };
  const template = templateFor(aspect.name, document);
  if (template === undefined) {
    return { rejection: `Aspect: ${aspect.name} does not currently support patch operations.` };
  }
  const operations = markRequiredArrays(aspect.record, document.operations, template.keyed);
  return {
    reportUnknown: (report) => reportUnknownInPatch(aspect.record, operations, report),
    *patch(current, stamp) {
      if (current === undefined && operations.every(({ op }) => op === 'remove')) return { value: current };
      const before =
        current === undefined ? template.initialValue?.(stamp) : (yield* parseInSteps(current)).value;
      if (before === undefined) return { rejection: formatMissingDefault(aspect.name, urn) };
      const after = yield* applyPatch(before, { operations, template, stamp });
      if ('fault' in after) {
        return {
          rejection: `Error performing JSON PATCH on aspect ${aspect.name} of ${urn}: ${after.fault}`,
        };
      }
      const { value } = after;
      if (value === undefined) return { value: current };
      const large = yield* largePartsIn(value);
      const check = yield* checkAspectInSteps(registry, aspect, { value, large });
      if ('faults' in check) return { rejection: formatFaults(aspect, check.faults) };
      const wrong = check.wrongReferences;
      const rejection = wrong.length === 0 ? undefined : rejectReferences(registry, aspect, wrong)(current);
      return rejection === undefined ? { value: check.text } : { rejection };
    },
  };
}

/**
 * Combines the aspect's template with the array keys of the patch, whose paths have these keys in number and order.
 * For an aspect without a template, or a forced generic patch, only the keys of the patch count.
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
  if (known === undefined || isForcedGeneric) return { keyed: named, initialValue: () => ({}) };
  const others = known.keyed.filter(({ path }) => !arrayKeys.has(path.join(UNIT_SEPARATOR)));
  return { ...known, keyed: [...others, ...named] };
}

function formatMissingDefault(aspectName: string, urn: string): string {
  return (
    `Patch not supported for aspect with name ${aspectName}. Default aspect is required because no aspect currently ` +
    `exists for urn ${urn}.`
  );
}

interface PatchWork {
  readonly operations: readonly PatchOperation[];
  readonly template: PatchTemplate;
  readonly stamp: AuditStamp;
}

/** Changes `before` in place; the value is `undefined` when no operation has an effect. */
function* applyPatch(
  before: JsonValue,
  { operations, template, stamp }: PatchWork,
): Steps<{ readonly value: JsonValue | undefined } | { readonly fault: string }> {
  // Clones the operations, because they may change the values that they write, and a repeated commit applies them
  // again.
  const own = yield* cloneOperations(operations);
  const fields = selectAddressed(own, template.keyed);
  const lineage = selectAddressed(own, template.lineage === undefined ? [] : [{ path: [template.lineage] }]);
  const tree: PatchTree = before;
  yield* keyArrays(tree, fields);
  for (const { path } of lineage) yield* replaceAt(tree, path, keyLineage);
  try {
    const after = yield* applyOperations(tree, own);
    if (after === undefined) return { value: undefined };
    for (const path of template.stamped ?? []) yield* replaceAt(after, path, addStamp(stamp));
    for (const { path } of lineage) yield* replaceAt(after, path, regatherLineage);
    yield* gatherArrays(after, fields);
    return { value: yield* toPlain(after) };
  } catch (error) {
    if (error instanceof RangeError) return { fault: error.message };
    throw error;
  }
}

function* cloneOperations(operations: readonly PatchOperation[]): Steps<readonly PatchOperation[]> {
  const clones: PatchOperation[] = [];
  for (const operation of operations) {
    clones.push('value' in operation ? { ...operation, value: structuredClone(operation.value) } : operation);
    yield;
  }
  return clones;
}

function addStamp({ time, actor }: AuditStamp): (tree: PatchTree) => Steps<PatchTree> {
  return function* (tree) {
    yield;
    return !isTreeObject(tree) || 'auditStamp' in tree ? tree : { ...tree, auditStamp: { time, actor } };
  };
}

function* regatherLineage(tree: PatchTree): Steps<PatchTree> {
  return isTreeObject(tree) ? yield* gatherLineage(tree) : tree;
}
