import type { AnswerOf } from '@stratalog/client';
import { useParams, useSearch } from '@tanstack/react-router';
import { one } from '../../app/search-parameters';
import { toCard, type Entity, type EntityCard } from '../../data/entity-card';
import { readAt } from '../../data/times';
import { useCall } from '../../data/use-call';
import { splitUrn } from '../../data/urns';

export type EntityModel = AnswerOf<'GET /models/entities/:name'>;

/** An entity as its page shows it. */
export interface EntityView {
  readonly urn: string;
  readonly entity: Entity;
  readonly card: EntityCard;
  readonly model: EntityModel;
  /** The time that the page shows; `undefined`: now. **Units**: epoch milliseconds. */
  readonly atMs: number | undefined;
}

/** The urn and the time of the address. */
export function useAddress(): { readonly urn: string; readonly atMs: number | undefined } {
  const { urn = '' } = useParams({ strict: false });
  const { at } = useSearch({ strict: false });
  return { urn, atMs: readAt(one(at)) };
}

/** The entity of the address, at its time, with the model of its type. */
export function useEntity() {
  const { urn, atMs } = useAddress();
  const entity = useCall(
    'GET /entitiesV2/:urn',
    { urn, ...(atMs === undefined ? {} : { asOf: atMs }) },
    { keepsFormer: true },
  );
  const model = useCall('GET /models/entities/:name', { name: splitUrn(urn).type }, { isLasting: true });
  const isOther = entity.data !== undefined && entity.data.urn !== urn && entity.isPlaceholderData;
  const view: EntityView | undefined =
    entity.data === undefined || model.data === undefined || isOther
      ? undefined
      : { urn, entity: entity.data, card: toCard(entity.data), model: model.data, atMs };
  return {
    data: view,
    error: entity.error ?? model.error,
    refetch: () => void Promise.all([entity.refetch(), model.refetch()]),
  };
}
