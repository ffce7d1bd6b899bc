import { CallRejectedError } from '@stratalog/client';
import { stringifyJson, type JsonObject, type JsonOutput } from '@stratalog/json';
import { call } from '../../../data/catalog';
import type { WrittenAspect } from '../../../data/entity-card';
import { queryClient } from '../../../data/use-call';
import { splitUrn } from '../../../data/urns';
import { saved } from './saved';

/** An aspect as it was read. */
export interface Stored {
  readonly value: JsonObject | undefined;
  /** `-1`: there is none. */
  readonly version: string;
  readonly created?: WrittenAspect['created'];
}

/** One change of an aspect. */
export interface Write {
  readonly changeType: 'UPSERT' | 'PATCH';
  readonly value: JsonOutput;
  /** The version that the change replaces; `undefined`: whichever there is. */
  readonly version?: string;
}

interface Place {
  readonly urn: string;
  readonly aspectName: string;
}

/** What became of a change. */
export type Outcome =
  | { readonly kind: 'saved' }
  /** Another write came first: this is what it wrote. */
  | { readonly kind: 'conflict'; readonly theirs: Stored };

export function toStored(written: WrittenAspect | undefined): Stored {
  if (written === undefined) return { value: undefined, version: '-1' };
  const { value, systemMetadata, version, created } = written;
  return { value, version: systemMetadata?.version ?? String(version), created };
}

/**
 * Saves a change, offers to undo it, and has the page read again what it shows. The undoing is conditional on the version that was saved.
 *
 * **Errors**: those of the call, but for a conflict.
 */
export async function save(place: Place, write: Write, undoing: Write): Promise<Outcome> {
  const theirs = await propose(place, write);
  if (theirs !== undefined) return { kind: 'conflict', theirs };
  const { version } = await readStored(place);
  await readAgain();
  saved.set({
    ...place,
    text: version === '-1' ? 'Saved' : `Saved as version ${version}`,
    undo: () => undo(place, { ...undoing, version }),
  });
  return { kind: 'saved' };
}

async function undo(place: Place, write: Write): Promise<void> {
  if ((await propose(place, write)) !== undefined) throw new Error('it has changed since');
  await readAgain();
  saved.set({ ...place, text: 'Undone' });
}

/** Writes back a value that was read. Where there was none, an empty one: to delete an aspect is a right of operators. */
export function writeBack({ value }: Stored, empty: JsonObject): Write {
  return { changeType: 'UPSERT', value: value ?? empty };
}

/** A place in a value, as patches name it. */
export function toPointer(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The other members of a value. */
export function without(value: JsonObject | undefined, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([each]) => each !== name));
}

/** Whatever the page shows may have changed; the model has not. */
export async function readAgain(): Promise<void> {
  const isModel = (to: unknown): boolean => typeof to === 'string' && to.startsWith('GET /models');
  const isEntity = (to: unknown): boolean => to === 'GET /entitiesV2/:urn';
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [to] }) => !isModel(to) && !isEntity(to) });
  await queryClient.invalidateQueries({ predicate: ({ queryKey: [to] }) => isEntity(to) });
}

/** Writes; returns what is there instead when the version that the change replaces is no longer the latest. */
export async function propose(place: Place, write: Write): Promise<Stored | undefined> {
  const { urn, aspectName } = place;
  const { changeType, value, version } = write;
  const contentType: 'application/json' | 'application/json-patch+json' =
    changeType === 'PATCH' ? 'application/json-patch+json' : 'application/json';
  const proposal = {
    entityType: splitUrn(urn).type,
    entityUrn: urn,
    changeType,
    aspectName,
    aspect: { value: stringifyJson(value), contentType },
    ...(version === undefined ? {} : { headers: { 'If-Version-Match': version } }),
  };
  try {
    await call('POST /aspects?action=ingestProposal', { proposal });
    return undefined;
  } catch (error) {
    if (!isConflict(error)) throw error;
    return readStored(place);
  }
}

async function readStored({ urn, aspectName }: Place): Promise<Stored> {
  const { answer } = await call('GET /entitiesV2/:urn', { urn, aspects: [aspectName] });
  return toStored(answer.aspects[aspectName]);
}

function isConflict(error: unknown): boolean {
  return (
    error instanceof CallRejectedError && error.status === 422 && error.message.startsWith('Expected version')
  );
}
