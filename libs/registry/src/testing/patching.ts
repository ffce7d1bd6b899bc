import { join } from 'node:path';
import { allSteps, parseJson, stringifyJson, type JsonOutput, type JsonValue } from '@stratalog/json';
import { loadModel } from '../model/load-model';
import { parseAspectPatch } from '../patch/patch-aspect';

export const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';
export const STAMP = { time: 7, actor: 'urn:li:corpuser:x' };

/** Returns the patched value, or the sentence of its rejection; `undefined` when nothing is stored, before and after. */
export type Patched = (
  aspectName: string,
  current: JsonOutput | undefined,
  patch: JsonOutput,
) => JsonValue | undefined;

/** Patches by the shipped model. */
export async function patchByModel(): Promise<Patched> {
  const registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
  return (aspectName, current, patch) => {
    const aspect = registry.aspect(aspectName);
    if (aspect === undefined) throw new Error(`there is no aspect ${aspectName}`);
    const read = allSteps(parseAspectPatch(registry, aspect, { urn: URN, value: stringifyJson(patch) }));
    if ('rejection' in read) return read.rejection;
    const made = allSteps(read.patch(current === undefined ? undefined : stringifyJson(current), STAMP));
    if ('rejection' in made) return made.rejection;
    return made.value === undefined ? undefined : parseJson(made.value);
  };
}

export const add = (path: string, value: JsonOutput) => ({ op: 'add', path, value });
export const remove = (path: string) => ({ op: 'remove', path });
export const owner = (name: string, type = 'DATAOWNER') => ({ owner: `urn:li:corpuser:${name}`, type });
export const tags = (...names: readonly string[]) => ({
  tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })),
});
