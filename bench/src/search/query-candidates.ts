import { SeededRandom } from '@stratalog/harness';
import {
  OWNER_COUNT,
  TAG_COUNT,
  ownerName,
  tagName,
  type DatasetGenerator,
} from '../workload/dataset-generator';

export const QUERY_KINDS = ['word', 'two words', 'phrase', 'prefix', 'name', 'field', 'not found'] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

export interface CandidateQuery {
  readonly kind: QueryKind;
  readonly input: string;
}

const SEED = 99;

/**
 * Makes queries as people type them, from the existing datasets: `perKind` of each kind. A search then finds
 * out how many datasets each matches.
 */
export function queryCandidates(
  datasets: DatasetGenerator,
  datasetCount: number,
  perKind: number,
): readonly CandidateQuery[] {
  const random = new SeededRandom(SEED);
  const makers: Record<QueryKind, () => string> = {
    word: () => chooseWord(datasets, random),
    'two words': () => {
      const { words } = datasets.at(random.below(datasetCount));
      return `${words[random.below(words.length)] ?? ''} ${words[random.below(words.length)] ?? ''}`;
    },
    phrase: () => {
      const { words } = datasets.at(random.below(datasetCount));
      const at = random.below(words.length - 1);
      return `"${words[at] ?? ''} ${words[at + 1] ?? ''}"`;
    },
    prefix: () => {
      const word = chooseWord(datasets, random);
      return `${word.slice(0, 2 + random.below(Math.max(1, word.length - 2)))}*`;
    },
    name: () => {
      const { name } = datasets.at(random.below(datasetCount));
      const parts = name.split(/[._]/);
      const some = [
        name,
        parts.slice(1, 3).join('_'),
        parts.at(-1),
        `${parts[0] ?? ''} ${parts.at(-1) ?? ''}`,
      ];
      return some[random.below(some.length)] ?? '';
    },
    field: () => fieldQuery(datasets, datasetCount, random),
    'not found': () => `q${chooseWord(datasets, random)}q`,
  };
  const queries = QUERY_KINDS.flatMap((kind) =>
    Array.from({ length: perKind }, () => ({ kind, input: makers[kind]() })),
  );
  return [...new Map(queries.map((query) => [query.input, query])).values()];
}

/** Chooses ranks evenly by their order of magnitude, so that words of every frequency occur. */
function chooseWord({ vocabulary }: DatasetGenerator, random: SeededRandom): string {
  return vocabulary[Math.floor(vocabulary.length ** random.fraction()) - 1] ?? '';
}

function fieldQuery(datasets: DatasetGenerator, datasetCount: number, random: SeededRandom): string {
  const { name, platform, words } = datasets.at(random.below(datasetCount));
  const tag = tagName(random.below(TAG_COUNT));
  const makers = [
    () => `tags:${tag}`,
    () => `tags:urn:li:tag:${tag}`,
    () => `owners:${ownerName(random.below(OWNER_COUNT))}`,
    () => `platform:${platform}`,
    () => `platform:${platform} ${words[0] ?? ''}`,
    () => `tags:${tag} name:${name.split('_')[1] ?? ''}`,
  ];
  return makers[random.below(makers.length)]?.() ?? '';
}
