import type { AnswerOf } from '@stratalog/client';
import { cardFromUrn, type EntityCard } from '../../data/entity-card';

type Answer = NonNullable<AnswerOf<'POST /entities?action=searchAcrossEntities'>>;
export type FoundCard = NonNullable<Answer['metadata']['cards']>[number];

/** The card that a search has with a result: without its path, and the description may be cut. */
export function toFoundCard(urn: string, found: FoundCard): EntityCard {
  const { name, subtype, platform, description, owners, tags, domains } = found;
  const card = cardFromUrn(urn);
  const domain = domains?.entities[0]?.urn;
  return {
    ...card,
    name,
    kind: subtype ?? card.kind,
    ...(platform === undefined ? {} : { platform: platform.urn }),
    ...(description === undefined ? {} : { description }),
    owners: owners?.entities.map((each) => each.urn) ?? [],
    tags: tags?.entities.map((each) => each.urn) ?? [],
    ...(domain === undefined ? {} : { domain }),
  };
}
