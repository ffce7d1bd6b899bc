import type { AnswerOf } from '@stratalog/client';
import { isJsonObject, parseJson, type JsonValue } from '@stratalog/json';
import { call } from '../../../data/catalog';
import { list } from '../../../data/entity-card';

const TRY = 'POST /test?action=tryDefinition';
type Tried = AnswerOf<typeof TRY>;
export type Fault = Tried['faults'][number];

/** Most entities of one dry run. */
const MOST = 100;

/** What a definition would find. */
export interface Trial extends Tried {
  /** How many entities there are of its types. */
  readonly entities: number;
}

/** Checks a definition that is not saved, and evaluates it for the first entities of its types. */
export async function tryOut(definition: string, { most = MOST } = {}): Promise<Trial> {
  const checked = await call(TRY, { definition });
  const types = checked.answer.faults.length > 0 ? [] : typesOf(definition);
  if (most === 0 || types.length === 0) return { ...checked.answer, entities: 0 };
  const found = await call('POST /entities?action=searchAcrossEntities', {
    input: '*',
    entities: types,
    start: 0,
    count: most,
    facets: [],
  });
  const { urns } = found.answer.metadata;
  const tried = await call(TRY, { definition, urns: [...urns] });
  return { ...tried.answer, entities: found.answer.numEntities };
}

/** The entity types that a faultless definition is about; a draft is about none. */
function typesOf(definition: string): string[] {
  if (definition.trim() === '') return [];
  const on: JsonValue | undefined = (parseJson(definition) as { on?: JsonValue }).on;
  const types = isJsonObject(on) ? list(on.types) : [];
  return types.filter((type): type is string => typeof type === 'string');
}
